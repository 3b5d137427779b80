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

// checksum is CRC-32C. Its table is made at the first use: it would be an eighth of a millisecond of every start.
func checksum(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

// seal adds the checksum member and the line feed to an object that lacks its closing brace.
func seal(open []byte) []byte {
	return fmt.Appendf(open, "%s%08x%s\n", sumOpen, checksum(open), sumClose)
}

// unseal reports why line (without its line feed) is not what seal wrote; "" means that it is.
func unseal(line []byte) string {
	body := line[:max(0, len(line)-sumLen)]
	member := line[len(body):]
	want := fmt.Appendf(nil, "%s%08x%s", sumOpen, checksum(body), sumClose)
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

// maxDepth is how deep a line may nest: as deep as encoding/json reads. An entry's data stands dataDepth levels deep.
const (
	maxDepth  = 10_000
	dataDepth = 3
)

var errTooDeep = errors.New("data nested too deeply")

// encodeBatch refuses what decodeBatch could not give back: data that is not JSON or nests too deeply, a time
// outside the years 0 to 9999, a line over limit bytes (without its line feed). Each entry is checked alone, so that
// the line as a whole need not be read once more: an answer may be 64 MB long.
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
	return sealed, nil
}

// encodeEntry makes sure that the entry is JSON and stands on one line.
func encodeEntry(line *bytes.Buffer, entry Entry) error {
	kind, err := json.Marshal(entry.Kind)
	if err != nil {
		return err
	}
	line.WriteString(`{"kind":`)
	line.Write(kind)
	if entry.Value != nil || len(entry.Data) > 0 {
		line.WriteString(`,"data":`)
		begin := line.Len()
		if err := encodeData(line, entry); err != nil {
			return err
		}
		if depth(line.Bytes()[begin:]) > maxDepth-dataDepth {
			return errTooDeep
		}
	}
	line.WriteByte('}')
	return nil
}

// encodeData checks and compacts data from elsewhere: a pretty-printed value holds line feeds, and a line must hold
// none. What this package encodes itself is valid and on one line.
func encodeData(line *bytes.Buffer, entry Entry) error {
	if entry.Value == nil {
		return json.Compact(line, entry.Data)
	}
	encoder := json.NewEncoder(line)
	encoder.SetEscapeHTML(false) // a log is no web page, and markup would grow sixfold
	if err := encoder.Encode(entry.Value); err != nil {
		return err
	}
	line.Truncate(line.Len() - 1) // the encoder ends a value with a line feed
	return nil
}

// depth is how deep a valid JSON text nests.
func depth(text []byte) int {
	deepest, now := 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++ // whatever is escaped ends no string
				}
			}
		case '{', '[':
			now++
			deepest = max(deepest, now)
		case '}', ']':
			now--
		}
	}
	return deepest
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
