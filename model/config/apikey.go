package config

import (
	"context"
	"errors"
	"io/fs"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"
)

const (
	// KeyCommandTimeout is how long an api_key_command may run.
	KeyCommandTimeout = 10 * time.Second
	// MaxKeyBytes bounds a key after trimming.
	MaxKeyBytes = 8 << 10
)

// KeyAccess is how Key reaches the world; SystemKeys is the real one.
type KeyAccess struct {
	Env func(string) string
	// Run runs a program without a shell and returns what it wrote to standard
	// output, all of it or an error. It ends when ctx does.
	Run func(ctx context.Context, argv []string) ([]byte, error)
	// ReadFile returns a file's content and mode, both of the same open file.
	ReadFile func(path string) ([]byte, fs.FileMode, error)
}

// Key finds the agent's key and where it came from, for people: "$WORK_API_KEY",
// "api_key_command", "api_key_file". A key the person named and that cannot be had is
// an error. Without a named one, a well-known variable serves if the agent's address
// is at that variable's own origin (see WellKnown); else there is no key and no error,
// since many servers need none. Errors are *Error and never hold the key, nor the text
// of api_key_command and api_key_file, where keys land by mistake.
func (a AgentConfig) Key(ctx context.Context, from KeyAccess) (Secret, string, error) {
	switch {
	case a.APIKeyEnv != "":
		value := from.Env(a.APIKeyEnv)
		if value == "" {
			return a.noKey("api_key_env", "$"+a.APIKeyEnv+" is not set", "export "+a.APIKeyEnv+" before you start baton")
		}
		return a.accept(value, "$"+a.APIKeyEnv, "api_key_env")
	case len(a.APIKeyCommand) > 0:
		return a.keyFromCommand(ctx, from)
	case a.APIKeyFile != "":
		return a.keyFromFile(from)
	}
	if name := boundTo(a.Origin()); name != "" {
		if value := from.Env(name); strings.TrimSpace(value) != "" {
			return a.accept(value, "$"+name, "api_key_env")
		}
	}
	return Secret{}, "", nil
}

func (a AgentConfig) keyFromCommand(ctx context.Context, from KeyAccess) (Secret, string, error) {
	const name, next = "api_key_command", "run it by hand to see what it says"
	limited, cancel := context.WithTimeout(ctx, KeyCommandTimeout)
	defer cancel()
	out, err := from.Run(limited, a.APIKeyCommand)
	switch {
	case ctx.Err() != nil:
		return Secret{}, "", context.Cause(ctx)
	case limited.Err() != nil:
		return a.noKey(name, "api_key_command took longer than "+short(KeyCommandTimeout), next)
	case err != nil:
		return a.noKey(name, "api_key_command failed: "+commandReason(err), next)
	}
	return a.accept(string(out), name, name)
}

// commandReason names a failure without the program's own words or name.
func commandReason(err error) string {
	var exit interface{ ExitCode() int }
	var sys syscall.Errno
	switch {
	case errors.As(err, &exit):
		return printable(err.Error())
	case errors.Is(err, fs.ErrPermission):
		return "it may not be run"
	case errors.Is(err, errTooMuch):
		return "it printed far more than a key"
	}
	switch { // behind the others: no permission and no file are such numbers, too
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, exec.ErrNotFound):
		return "there is no such program"
	case errors.As(err, &sys):
		return sys.Error()
	}
	return "it cannot be run"
}

func (a AgentConfig) keyFromFile(from KeyAccess) (Secret, string, error) {
	const name = "api_key_file"
	data, mode, err := from.ReadFile(a.APIKeyFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return a.noKey(name, "the api_key_file does not exist", "check agents."+a.Name+".api_key_file in the configuration")
	case errors.Is(err, errTooMuch):
		return a.noKey(name, "the api_key_file is far larger than a key", "put the key alone into it")
	case err != nil:
		return a.noKey(name, "the api_key_file cannot be read: "+reasonOnly(err), "check agents."+a.Name+".api_key_file in the configuration")
	// Windows has no such modes: the file is as private as its folder.
	case mode.Perm()&0o077 != 0 && runtime.GOOS != "windows":
		return a.noKey(name, "the api_key_file can be read by others (mode "+octal(mode)+")", "chmod 600 "+printable(a.APIKeyFile))
	}
	return a.accept(string(data), name, name)
}

// accept trims and checks a key. source is where it came from, for people.
func (a AgentConfig) accept(raw, source, setting string) (Secret, string, error) {
	text := strings.TrimSpace(raw)
	wrong := ""
	switch {
	case text == "":
		wrong = "is empty"
	case len(text) > MaxKeyBytes:
		wrong = "is longer than 8 KiB"
	case strings.ContainsAny(text, " \t\r\n\v\f"):
		wrong = "has white space inside"
	case strings.ContainsFunc(text, func(r rune) bool { return r < '!' || r > '~' }):
		wrong = "holds a character that no key has (a control character, or one outside ASCII)"
	}
	if wrong != "" {
		return a.noKey(setting, "the key from "+source+" "+wrong, "copy the key again, alone and whole")
	}
	return NewSecret(text), source, nil
}

func (a AgentConfig) noKey(setting, msg, next string) (Secret, string, error) {
	return Secret{}, "", &Error{Key: "agents." + a.Name + "." + setting, Msg: msg, Next: next}
}
