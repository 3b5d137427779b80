//go:build unix

package model

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// tool puts a script in the place of a program.
func tool(t *testing.T, dir, name, script string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
}

// The first program that is there is asked, where there is a display for it.
func TestClipboardImage(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir+":/bin:/usr/bin")
	const png = `printf '\211PNG\r\n\032\n'; echo `
	tool(t, dir, "wl-paste", png+`wayland "$@"`)
	tool(t, dir, "xclip", png+`x11 "$@"`)
	tool(t, dir, "pngpaste", png+`mac "$@"`)
	for display, want := range map[string]string{"WAYLAND_DISPLAY": "wayland --no-newline --type image/png", "DISPLAY": "x11 -selection clipboard -target image/png -out", "": "mac -"} {
		got, err := clipboardWithin(context.Background(), time.Minute, func(name string) string {
			if name == display {
				return ":0"
			}
			return ""
		})
		if err != nil || string(got) != string(pngBegins)+want+"\n" {
			t.Errorf("%s: %q, %v", display, got, err)
		}
	}
	none := func(string) string { return "" }
	for script, want := range map[string]string{
		"echo text":                "there is no image in the clipboard",
		"exit 1":                   "there is no image in the clipboard",
		png + "; exit 3":           "pngpaste failed: exit status 3",
		png + "; cat </dev/zero":   "the clipboard's image is larger than 20 MB",
		"head -c 0 /dev/null >&2 ": "there is no image in the clipboard",
	} {
		tool(t, dir, "pngpaste", script)
		if _, err := clipboardWithin(context.Background(), time.Minute, none); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", script, err, want)
		}
	}
	tool(t, dir, "pngpaste", "exec sleep 60")
	if _, err := clipboardWithin(context.Background(), 50*time.Millisecond, none); err == nil || err.Error() != "pngpaste did not answer in time" {
		t.Error(err)
	}
	if err := os.Remove(filepath.Join(dir, "pngpaste")); err != nil {
		t.Fatal(err)
	}
	if _, err := clipboardWithin(context.Background(), time.Minute, none); !errors.Is(err, errNoClipboard) {
		t.Error(err)
	}
}

// An image of the largest size is taken, a larger one is not.
func TestLimitOfPictures(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir+":/bin:/usr/bin")
	for n, ok := range map[int]bool{maxPicture - 1: true, maxPicture: true, maxPicture + 1: false} {
		tool(t, dir, "pngpaste", fmt.Sprintf(`printf '\211PNG\r\n\032\n'; head -c %d /dev/zero`, n-len(pngBegins)))
		got, err := clipboardWithin(context.Background(), time.Minute, func(string) string { return "" })
		if (err == nil) != ok || ok && len(got) != n || !ok && !strings.Contains(err.Error(), "larger") {
			t.Errorf("%d bytes: %d, %v", n, len(got), err)
		}
	}
}
