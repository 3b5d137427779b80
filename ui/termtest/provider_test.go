package termtest

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

func post(t *testing.T, ctx context.Context, p *Provider, said string) (*http.Response, error) {
	t.Helper()
	body := `{"model":"m","messages":[{"role":"user","content":"` + said + `"}]}`
	r, err := http.NewRequestWithContext(ctx, "POST", p.URL()+"/chat/completions", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(r)
}

func read(t *testing.T, p *Provider, said string) (string, error) {
	t.Helper()
	resp, err := post(t, t.Context(), p, said)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return resp.Status + "\n" + string(b), err
}

func TestProviderFollowsItsScript(t *testing.T) {
	t.Parallel()
	p := NewProvider(t, OK("one ", "two"), Fail(503), CutAfter(2), Empty200(), ZeroBytes(), ErrorEvent(1, "overloaded_error", "busy"), Unfinished(1), Reset(0), Reset(1))
	for i, want := range []struct {
		holds string
		fails bool
	}{
		{`"content":"two"`, false}, {"503 Service Unavailable\n{\"error\"", false}, {"word2", true}, {"[DONE]", false}, {"200 OK\n", false},
		{"overloaded_error", false}, {"word1", false}, {"", true}, {"", true}, {"echo: ", false},
	} {
		got, err := read(t, p, "hi")
		if !strings.Contains(got, want.holds) || (err != nil) != want.fails {
			t.Errorf("%d: %q %v", i+1, got, err)
		}
	}
	rs := p.Until("ten answers", func(rs []Request) bool { return len(rs) == 10 && !rs[9].Done.IsZero() })
	for i, r := range rs {
		if r.N != i+1 || r.Last() != "hi" || r.Model != "m" || !r.Gone.IsZero() || r.Time.IsZero() {
			t.Errorf("%+v", r)
		}
	}
}

func TestProviderSeesWhenTheClientGoes(t *testing.T) {
	t.Parallel()
	for name, silent := range map[string]Response{"hang": Hang(), "silent": Silent(), "stall": StallAfter(2), "slow": SlowFirstByte(time.Hour, "x"), "paced": Paced(time.Millisecond, words(1_000_000)...)} {
		p := NewProvider(t, silent)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			resp, err := post(t, ctx, p, "hi")
			if err == nil {
				_, _ = io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
		}()
		p.WaitCount(1)
		if !p.Requests()[0].Gone.IsZero() {
			t.Error(name, "gone early")
		}
		before := time.Now()
		cancel()
		rs := p.Until("the client go", func(rs []Request) bool { return !rs[0].Gone.IsZero() })
		if rs[0].Gone.Before(before) {
			t.Error(name, "gone before it went")
		}
	}
}

func TestGate(t *testing.T) {
	t.Parallel()
	g := NewGate(t, "first ")
	p := NewProvider(t, g.Response())
	got := make(chan string)
	go func() {
		s, _ := read(t, p, "hi")
		got <- s
	}()
	g.Wait()
	select {
	case s := <-got:
		t.Fatalf("went on by itself: %q", s)
	default:
	}
	g.Release("second")
	if s := <-got; !strings.Contains(s, "first ") || !strings.Contains(s, "second") || !strings.Contains(s, "[DONE]") {
		t.Errorf("%q", s)
	}
}
