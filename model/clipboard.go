package model

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

const (
	// pictureWait is how long the clipboard's program has.
	pictureWait = 2 * time.Second
	// maxPicture is the largest image that is taken from the clipboard, in bytes: no
	// larger file can be attached.
	maxPicture = 20 << 20
)

// clipboardTools hand out the clipboard's image, each where its variable is set or needed.
var clipboardTools = []struct {
	needs string
	argv  []string
}{
	{"WAYLAND_DISPLAY", []string{"wl-paste", "--no-newline", "--type", "image/png"}},
	{"DISPLAY", []string{"xclip", "-selection", "clipboard", "-target", "image/png", "-out"}},
	{"", []string{"pngpaste", "-"}},
}

var errNoClipboard = errors.New("no program here reads images from the clipboard: wl-paste (Wayland), xclip (X11) or pngpaste (macOS)")

// ClipboardImage reads the clipboard's image, in PNG form, through the program that this
// system has for it. env looks variables up.
func ClipboardImage(ctx context.Context, env func(string) string) ([]byte, error) {
	return clipboardWithin(ctx, pictureWait, env)
}

func clipboardWithin(ctx context.Context, wait time.Duration, env func(string) string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	for _, tool := range clipboardTools {
		if tool.needs != "" && env(tool.needs) == "" {
			continue
		}
		program, err := exec.LookPath(tool.argv[0])
		if err != nil {
			continue
		}
		return read(ctx, program, tool.argv[1:])
	}
	return nil, errNoClipboard
}

var pngBegins = []byte("\x89PNG\r\n\x1a\n")

func read(ctx context.Context, program string, args []string) ([]byte, error) {
	name := filepath.Base(program)
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.WaitDelay = 100 * time.Millisecond
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	png, err := io.ReadAll(io.LimitReader(out, maxPicture+1))
	if len(png) > maxPicture {
		_ = cmd.Process.Kill()
	}
	werr := cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("%s did not answer in time", name)
	case len(png) > maxPicture:
		return nil, fmt.Errorf("the clipboard's image is larger than %d MB", maxPicture>>20)
	case !bytes.HasPrefix(png, pngBegins):
		return nil, errors.New("there is no image in the clipboard")
	case err != nil || werr != nil:
		return nil, fmt.Errorf("%s failed: %w", name, errors.Join(err, werr))
	}
	return png, nil
}

// pictureRead brings the file that holds the clipboard's image.
type pictureRead struct {
	line  string // the command that wanted it
	path  string
	bytes int
	err   error
}

// PasteImage attaches the clipboard's image to the next prompt.
func (h *host) PasteImage() error {
	m := h.m
	if m.deps.Clipboard == nil {
		return errNoClipboard
	}
	from, place, now, line := m.deps.Clipboard, m.write.keep.place, m.deps.Now(), h.line
	h.do(func() tea.Msg {
		png, err := from(context.Background())
		if err != nil {
			return pictureRead{line: line, err: err}
		}
		path, err := place.Picture(now, png)
		return pictureRead{line, path, len(png), err}
	})
	return nil
}

func (m *Model) tellPicture(msg pictureRead) {
	if msg.err != nil {
		m.refuse(msg.err.Error(), msg.line)
		return
	}
	m.attach(msg.path)
	m.say(fmt.Sprintf("attached the clipboard's image (%d KB) as %s; it goes with the next prompt", (msg.bytes+1023)>>10, filepath.Base(msg.path)))
}
