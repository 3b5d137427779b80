package keepsake

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

const (
	// MaxPrompts and MaxPromptsBytes bound the prompts that are kept; the oldest go.
	MaxPrompts      = 1000
	MaxPromptsBytes = 1 << 20
	// MaxPrompt is the longest prompt, in bytes, that is kept: a few long ones would push
	// all others out.
	MaxPrompt = 64 << 10
	// promptsWait is how long another process that writes is waited for.
	promptsWait = 5 * time.Second
	// promptsRead is how much of a file is read, from its end: one that nobody tidied.
	promptsRead = 8 * MaxPromptsBytes
)

// prompt is one line of the file.
type prompt struct {
	Prompt string `json:"prompt"`
}

func (p Place) prompts() string { return filepath.Join(p.dir, "history") }

// AddPrompts appends prompts, oldest first. Those that are blank or longer than MaxPrompt
// are left out. Several processes may do it at once.
func (p Place) AddPrompts(texts []string) error {
	var lines bytes.Buffer
	for _, text := range texts {
		if strings.TrimSpace(text) == "" || len(text) > MaxPrompt {
			continue
		}
		raw, err := json.Marshal(prompt{text})
		if err != nil {
			return fmt.Errorf("keep a prompt: %w", err)
		}
		lines.Write(append(raw, '\n'))
	}
	if lines.Len() == 0 {
		return nil
	}
	if err := p.locked(func() error { return p.append(lines.Bytes()) }); err != nil {
		return fmt.Errorf("keep a prompt: %w", err)
	}
	return nil
}

// locked runs f while no other process writes.
func (p Place) locked(f func() error) error {
	if err := os.MkdirAll(p.dir, 0o700); err != nil {
		return err
	}
	lock := flock.New(filepath.Join(p.dir, "history.lock"), flock.SetPermissions(0o600))
	ctx, cancel := context.WithTimeout(context.Background(), promptsWait)
	defer cancel()
	if ok, err := lock.TryLockContext(ctx, 5*time.Millisecond); !ok {
		return fmt.Errorf("another process holds the history: %w", err)
	}
	defer lock.Unlock()
	return f()
}

func (p Place) append(lines []byte) error {
	f, err := os.OpenFile(p.prompts(), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("it is no regular file")
	}
	if n := info.Size(); n > 0 { // a process that was killed may have left half a line
		last := make([]byte, 1)
		if _, err := f.ReadAt(last, n-1); err == nil && last[0] != '\n' {
			lines = append([]byte{'\n'}, lines...)
		}
	}
	if _, err := f.Write(lines); err != nil {
		return err
	}
	if info.Size()+int64(len(lines)) > MaxPromptsBytes {
		return p.tidy()
	}
	return nil
}

// tidy writes down what Prompts would give and nothing else.
func (p Place) tidy() error {
	texts, _, err := p.read()
	if err != nil {
		return err
	}
	var b bytes.Buffer
	for _, text := range texts {
		raw, err := json.Marshal(prompt{text})
		if err != nil {
			return err
		}
		b.Write(append(raw, '\n'))
	}
	return replace(p.prompts(), b.Bytes())
}

// Prompts returns the prompts that are kept, oldest first, each once, where it was entered
// last: at most MaxPrompts of at most MaxPromptsBytes together. Lines that are damaged
// are passed over. A file that grew beyond what it is to hold is tidied.
func (p Place) Prompts() ([]string, error) {
	texts, tidy, err := p.read()
	if tidy && err == nil {
		err = p.locked(p.tidy)
	}
	if err != nil {
		return texts, fmt.Errorf("read the prompts of former sessions: %w", err)
	}
	return texts, nil
}

// read reads the file. tidy says that it holds more than it is to.
func (p Place) read() (texts []string, tidy bool, err error) {
	raw, err := tail(p.prompts())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	lines := bytes.Split(bytes.TrimSuffix(raw, []byte{'\n'}), []byte{'\n'})
	seen, size := map[string]bool{}, 0
	for _, line := range slices.Backward(lines) {
		var one prompt
		if json.Unmarshal(line, &one) != nil || strings.TrimSpace(one.Prompt) == "" || seen[one.Prompt] {
			continue
		}
		if size += len(line) + 1; len(texts) == MaxPrompts || size > MaxPromptsBytes {
			break
		}
		seen[one.Prompt] = true
		texts = append(texts, one.Prompt)
	}
	slices.Reverse(texts)
	return texts, len(raw) > MaxPromptsBytes || len(lines) > MaxPrompts, nil
}

// tail reads a regular file, or its end if it is long.
func tail(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is no regular file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if _, err := f.Seek(max(info.Size()-promptsRead, 0), io.SeekStart); err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(f, promptsRead))
}
