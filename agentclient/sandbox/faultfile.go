package sandbox

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// MaxFaultFile bounds a file of faults, in bytes.
const MaxFaultFile = 64 << 10

// ReadFaults reads a file of faults and returns them as one list for ParseFaults. Each
// line holds one item or a comma list; # begins a comment. Errors are one line and name
// the file, and the line if there is one: name:7.
func ReadFaults(name string, r io.Reader) (string, error) {
	text, err := io.ReadAll(io.LimitReader(r, MaxFaultFile+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("read the faults in %s: %w", name, err)
	case len(text) > MaxFaultFile:
		return "", fmt.Errorf("%s: %w", name, errLongFile)
	}
	var items []string
	total := 0
	for i, line := range strings.Split(string(text), "\n") {
		line, _, _ = strings.Cut(line, "#")
		faults, err := ParseFaults(line)
		if total += len(faults); err == nil && total > MaxArmed {
			err = fmt.Errorf("too many faults: %d at most", MaxArmed)
		}
		if err != nil {
			return "", fmt.Errorf("%s:%d: %w", name, i+1, err)
		}
		if len(faults) > 0 {
			items = append(items, strings.TrimSpace(line))
		}
	}
	return strings.Join(items, ","), nil
}

var errLongFile = errors.New("a file of faults has at most 64 KiB")
