//go:build !unix

package journal

import "io/fs"

// openFlags: links are refused by the look before and after opening.
const openFlags = 0

// hasModes: access is ruled by lists that the session's directory inherits.
const hasModes = false

// syncDir has nothing to do: directories cannot be flushed, names are journalled by the file system.
func syncDir(string) error { return nil }

// foreign: owners are not asked for; a list of rights refuses without telling why.
func foreign(fs.FileInfo) bool { return false }
