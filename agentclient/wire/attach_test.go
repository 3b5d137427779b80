package wire

import (
	"slices"
	"strings"
	"testing"

	"baton/agentclient"
)

func TestParts(t *testing.T) {
	file := agentclient.Attachment{Name: "n", Data: []byte("hi")}
	for _, c := range []struct {
		m    agentclient.Message
		want []string
	}{
		{agentclient.Message{Text: "a"}, []string{"a"}},
		{agentclient.Message{Text: "a", Attachments: []agentclient.Attachment{file, file}}, []string{"File n:\nhi", "File n:\nhi", "a"}},
		{agentclient.Message{Attachments: []agentclient.Attachment{file}}, []string{"File n:\nhi"}},
		{agentclient.Message{}, []string{""}},
	} {
		got, err := Parts(c.m, func(e Enclosure) string { return e.Text })
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("got %q, %v; want %q", got, err, c.want)
		}
	}
	bad := agentclient.Attachment{Name: "x.zip", Data: []byte{0xff}}
	if _, err := Parts(agentclient.Message{Attachments: []agentclient.Attachment{bad}}, func(e Enclosure) string { return "" }); err == nil || !strings.Contains(err.Error(), "x.zip") {
		t.Errorf("error %v", err)
	}
}
