package plain

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"time"

	"baton/model/session"
)

// line is one line that was entered.
type line struct {
	text string // without its end
	at   time.Time
	long bool // longer than any prompt may be; the text is not here
}

// readLines hands out lines until the input ends or nobody takes them. The last line may
// lack its end. At most session.MaxPrompt bytes of a line are kept.
func readLines(in io.Reader, now func() time.Time, to chan<- line, done <-chan struct{}) {
	defer close(to)
	r := bufio.NewReaderSize(in, 64<<10)
	var text strings.Builder
	long := false
	for {
		piece, err := r.ReadSlice('\n')
		if long = long || text.Len()+len(piece) > session.MaxPrompt+1; !long {
			text.Write(piece)
		}
		whole := err == nil
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if whole || text.Len() > 0 || long {
			l := line{text: strings.TrimSuffix(strings.TrimSuffix(text.String(), "\n"), "\r"), at: now(), long: long}
			if long {
				l.text = ""
			}
			select {
			case to <- l:
			case <-done:
				return
			}
		}
		if !whole {
			return
		}
		text.Reset()
		long = false
	}
}
