package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"strconv"
	"time"
)

// A line is a JSON object whose last member is its checksum, so that any JSON tool can read the file. The checksum
// covers every byte before that member; its place and spelling are fixed, so no flipped bit in it can go unseen.
const (
	sumOpen   = `,"crc32c":"`
	sumClose  = `"}`
	sumDigits = 8
	sumLen    = len(sumOpen) + sumDigits + len(sumClose)
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// seal adds the checksum member and the line feed to an object that lacks its closing brace.
func seal(open []byte) []byte {
	return fmt.Appendf(open, "%s%08x%s\n", sumOpen, crc32.Checksum(open, castagnoli), sumClose)
}

// unseal reports why line (without its line feed) is not what seal wrote; "" means that it is.
func unseal(line []byte) string {
	body := line[:max(0, len(line)-sumLen)]
	member := line[len(body):]
	want := fmt.Appendf(nil, "%s%08x%s", sumOpen, crc32.Checksum(body, castagnoli), sumClose)
	switch {
	case bytes.Equal(member, want):
		return ""
	case bytes.IndexByte(line, 0) >= 0: // never in JSON; some file systems leave runs of them
		return "holds NUL bytes"
	case !bytes.HasPrefix(member, []byte(sumOpen)) || !bytes.HasSuffix(member, []byte(sumClose)):
		return "has no checksum at its end"
	case bytes.Contains(body, []byte(sumOpen)):
		return "holds two records"
	}
	return "does not match its checksum"
}

func encodeHeader(h Header) ([]byte, error) {
	h.Created = h.Created.UTC().Round(0)
	object, err := json.Marshal(h)
	if err != nil {
		return nil, fmt.Errorf("encoding the header: %w", err)
	}
	line := seal(object[:len(object)-1])
	if len(line) > maxHeader {
		return nil, fmt.Errorf("encoding the header: %w", ErrTooLong)
	}
	return line, nil
}

// decodeHeader returns ErrHeader with a reason, or a *NewerError together with the header as far as it is known.
func decodeHeader(line []byte) (Header, error) {
	if why := unseal(line); why != "" {
		return Header{}, fmt.Errorf("%w: line 1 %s", ErrHeader, why)
	}
	// The format is looked at alone first: a later one may give the other members other types.
	var version struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(line, &version); err != nil || version.Format < 1 {
		return Header{}, fmt.Errorf("%w: line 1 names no format", ErrHeader)
	}
	if version.Format > Format {
		return Header{Format: version.Format}, &NewerError{Found: version.Format}
	}
	var h Header
	if err := json.Unmarshal(line, &h); err != nil {
		return Header{}, fmt.Errorf("%w: %w", ErrHeader, err)
	}
	return h, nil
}

// encodeBatch refuses what decodeBatch could not give back: data that is not JSON or nests too deeply, a time
// outside the years 0 to 9999, a line over limit bytes (without its line feed).
func encodeBatch(b Batch, limit int) ([]byte, error) {
	at, err := b.Time.MarshalJSON()
	if err != nil {
		return nil, fmt.Errorf("encoding a batch: %w", err)
	}
	var line bytes.Buffer
	line.WriteString(`{"seq":`)
	line.WriteString(strconv.FormatUint(b.Seq, 10))
	line.WriteString(`,"time":`)
	line.Write(at)
	line.WriteString(`,"entries":[`)
	for i, entry := range b.Entries {
		if i > 0 {
			line.WriteByte(',')
		}
		if err := encodeEntry(&line, entry); err != nil {
			return nil, fmt.Errorf("encoding entry %q: %w", entry.Kind, err)
		}
	}
	line.WriteByte(']')
	sealed := seal(line.Bytes())
	if len(sealed)-1 > limit {
		return nil, fmt.Errorf("encoding a batch of %d bytes: %w", len(sealed), ErrTooLong)
	}
	// Each value was checked alone; inside the line it stands some levels deeper, and the decoder has a limit.
	if !json.Valid(sealed) {
		return nil, errors.New("encoding a batch: data nested too deeply")
	}
	return sealed, nil
}

// encodeEntry compacts the data: a pretty-printed value holds line feeds, and a line must hold none.
func encodeEntry(line *bytes.Buffer, entry Entry) error {
	kind, err := json.Marshal(entry.Kind)
	if err != nil {
		return err
	}
	line.WriteString(`{"kind":`)
	line.Write(kind)
	if len(entry.Data) > 0 {
		line.WriteString(`,"data":`)
		if err := json.Compact(line, entry.Data); err != nil {
			return err
		}
	}
	line.WriteByte('}')
	return nil
}

// decodeBatch returns why the line is none, or "". Members it does not know are skipped.
func decodeBatch(line []byte) (Batch, string) {
	if why := unseal(line); why != "" {
		return Batch{}, why
	}
	var record struct {
		Seq     uint64    `json:"seq"`
		Time    time.Time `json:"time"`
		Entries []Entry   `json:"entries"`
	}
	if err := json.Unmarshal(line, &record); err != nil || record.Seq == 0 {
		return Batch{}, "is not a batch"
	}
	return Batch{Seq: record.Seq, Time: record.Time, Entries: record.Entries}, ""
}
