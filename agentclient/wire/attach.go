package wire

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"

	"baton/agentclient"
)

// Form is how a file can travel in a request.
type Form int

// The forms of a file. A protocol that has no place for one refuses it with Unsendable.
const (
	Text  Form = iota // its text stands in the message
	Image             // a picture of pixels
	PDF
)

// Enclosure is an attachment as a request can carry it.
type Enclosure struct {
	Form   Form
	Name   string // base name
	Media  string // MIME type in lower case, without parameters
	Text   string // of form Text: name and content
	Base64 string // of the other forms: RFC 4648 §4, with padding
}

// Enclose sorts an attachment by the form it can travel in. Its error names a file that
// is neither text, image nor PDF.
func Enclose(a agentclient.Attachment) (Enclosure, error) {
	e, err := formOf(a)
	switch {
	case err != nil:
		return e, err
	case e.Form == Text:
		e.Text = "File " + a.Name + ":\n" + string(a.Data)
	default:
		e.Base64 = base64.StdEncoding.EncodeToString(a.Data)
	}
	return e, nil
}

// formOf is Enclose without the content.
func formOf(a agentclient.Attachment) (Enclosure, error) {
	media, _, _ := strings.Cut(a.Media, ";")
	e := Enclosure{Name: a.Name, Media: strings.ToLower(strings.TrimSpace(media))}
	switch {
	case strings.HasPrefix(e.Media, "image/") && e.Media != "image/svg+xml":
		e.Form = Image
	case e.Media == "application/pdf":
		e.Form = PDF
	case utf8.Valid(a.Data) && !bytes.ContainsRune(a.Data, 0):
		e.Form = Text
	default:
		return e, e.Unsendable("text, image nor PDF")
	}
	return e, nil
}

// AllForms is embedded by the clients of protocols that have a place for every form.
type AllForms struct{}

// Takes implements [agentclient.Taker].
func (AllForms) Takes(a agentclient.Attachment) error {
	_, err := formOf(a)
	return err
}

// NoPDF is embedded by the clients of those that have none for documents.
type NoPDF struct{}

// Takes implements [agentclient.Taker].
func (NoPDF) Takes(a agentclient.Attachment) error {
	e, err := formOf(a)
	if err == nil && e.Form == PDF {
		err = e.Unsendable("text nor image")
	}
	return err
}

// DataURL returns the content as a data URL (RFC 2397).
func (e Enclosure) DataURL() string { return "data:" + e.Media + ";base64," + e.Base64 }

// Unsendable is the error of a file for which a request has no place; forms name those
// it has: "text nor image".
func (e Enclosure) Unsendable(forms string) error {
	return fmt.Errorf("%s cannot be sent: %s is neither %s", e.Name, orElse(e.Media, "its type"), forms)
}

// Parts renders a message as a list: its files, then its text if there is any. A message
// of nothing is one empty text. render gets the text as an Enclosure of form Text.
func Parts[P any](m agentclient.Message, render func(Enclosure) P) ([]P, error) {
	var parts []P
	for _, a := range m.Attachments {
		e, err := Enclose(a)
		if err != nil {
			return nil, err
		}
		parts = append(parts, render(e))
	}
	if m.Text != "" || parts == nil {
		parts = append(parts, render(Enclosure{Text: m.Text}))
	}
	return parts, nil
}
