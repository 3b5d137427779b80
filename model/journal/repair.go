package journal

import (
	"errors"
	"io"
	"io/fs"
)

// maxTorn bounds the torn tails kept of one session.
const maxTorn = 100

// repair moves the torn bytes behind end into a file of their own and cuts them off. The order matters: they are
// safe in their new place before they leave the old one. If they cannot be saved they stay, and a line feed sets
// them apart from the next record: a line that reading skips and reports. Behind a record without its line feed
// they are NUL bytes (see settle), which the next record may overwrite.
func repair(f file, dir, id string, end tail, torn int64, d disk) tail {
	if torn == 0 {
		return end
	}
	apart := tail{end: end.end + torn, newline: true}
	if end.newline {
		apart = end
	}
	if err := saveTorn(io.NewSectionReader(f, end.end, torn), dir, id, d); err != nil {
		return apart
	}
	if err := f.Truncate(end.end); err != nil {
		return apart
	}
	return end
}

func saveTorn(torn io.Reader, dir, id string, d disk) error {
	for n := 1; n <= maxTorn; n++ {
		path := tornPath(dir, id, n)
		to, err := d.create(path, dir)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return err
		}
		_, err = io.Copy(io.NewOffsetWriter(to, 0), torn)
		if err = errors.Join(err, to.Sync(), to.Close()); err != nil {
			return errors.Join(err, d.remove(path))
		}
		return nil
	}
	return errors.New("too many torn tails")
}
