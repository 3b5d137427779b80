// Package journal keeps one session as an append-only file of checksummed lines: it appends, reads, repairs a torn
// tail, locks, lists, and reads any part of it, also beside its writer. It must not know what an entry means, decide anything about a session, or draw.
//
// The file format is described in docs/journal.md.
package journal

import (
	"encoding/json"
	"io/fs"
	"time"
)

const (
	// Format is the version written into every header and the only one this package reads.
	Format = 1

	// FsyncDelay is the longest time between a successful write and the start of the fsync that covers it, and so
	// what a power loss may take.
	FsyncDelay = 50 * time.Millisecond

	// MaxLine is the longest line, in bytes and without its line feed, that is written or read back. It bounds the
	// memory a damaged file can take.
	MaxLine = 128 << 20

	// maxHeader bounds the first line, so that looking at many sessions stays cheap.
	maxHeader = 64 << 10
)

// Header is the first line of a file. Its grammar stays the same in every later format.
type Header struct {
	Format  int       `json:"format"`
	Session string    `json:"session"`
	Created time.Time `json:"created"`
	App     string    `json:"app"`            // version of the program that wrote it
	From    string    `json:"from,omitempty"` // session whose rows were carried here, or that this one is a copy of, if any
	Turn    int       `json:"turn,omitempty"` // of a copy: the number of the turn it ends with
}

// Entry is one opaque fact. Data is any JSON value; nil means that the entry has none. To write one, Value may be set
// in its place: it is encoded into the line, which spares the check of what comes from elsewhere. It must not change
// any more. What is read back has Data alone.
type Entry struct {
	Kind  string          `json:"kind"`
	Data  json.RawMessage `json:"data,omitempty"`
	Value any             `json:"-"`
}

// Batch is one line: entries that hold together or not at all.
type Batch struct {
	Seq     uint64 // 1 for the first batch of a file, then one more each
	Time    time.Time
	Entries []Entry
	Offset  int64 // of the line's first byte in the file; -1 when the line is not in a file (yet)
}

// Contents is what a file, or a part of it, held.
type Contents struct {
	Header   Header
	From     int64 // offset of the line where reading began; 0 at the beginning of the file
	End      int64 // offset behind the last byte that belongs to a line: where reading goes on
	Batches  []Batch
	Damage   []Damage    // in file order
	Torn     int64       // bytes behind the last line that are no record: the trace of an interrupted write
	WideMode fs.FileMode // the permission bits found if they exceeded 0600, else 0; Open tightens them
}

// Damage names lines that were skipped.
type Damage struct {
	Line   int64 // number of the first line concerned, from 1 at Contents.From
	Lines  int64 // how many lines; 0 when lines are missing just before Line
	Offset int64 // of the first byte of Line
	Reason string
}

// Summary describes a session file from the outside, without reading it.
type Summary struct {
	ID       string
	Modified time.Time
	Size     int64 // bytes
}

// Status tells whether what was appended is safe.
type Status struct {
	Unsaved int   // batches (and the header) that are not in a file
	Err     error // the last failed write, else the last failed fsync; nil when all is well
}
