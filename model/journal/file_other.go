//go:build !unix

package journal

// openFlags: links are refused by the look before and after opening.
const openFlags = 0

// hasModes: access is ruled by lists that the session's directory inherits.
const hasModes = false

// syncDir has nothing to do: directories cannot be flushed, names are journalled by the file system.
func syncDir(string) error { return nil }
