//go:build unix

package cli_test

import (
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unicode"

	"baton/ui/termtest"
)

// road leads to a provider under an address of its own, which can be taken away and given back.
type road struct {
	t    testing.TB
	to   string
	addr string

	mu       sync.Mutex
	listener net.Listener
	open     []net.Conn
}

func newRoad(t testing.TB, p *termtest.Provider) *road {
	r := &road{t: t, to: p.Addr(), addr: "127.0.0.1:0"}
	r.up()
	t.Cleanup(r.down)
	return r
}

// up lets connections through.
func (r *road) up() {
	listener, err := net.Listen("tcp", r.addr)
	if err != nil {
		r.t.Error(err)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.listener, r.addr = listener, listener.Addr().String()
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go r.join(c)
		}
	}()
}

func (r *road) join(c net.Conn) {
	s, err := net.Dial("tcp", r.to)
	if err != nil {
		_ = c.Close()
		return
	}
	r.mu.Lock()
	r.open = append(r.open, c, s)
	r.mu.Unlock()
	go func() { _, _ = io.Copy(s, c); _ = s.Close() }()
	_, _ = io.Copy(c, s)
	_ = c.Close()
}

// down cuts every connection and refuses new ones.
func (r *road) down() {
	r.mu.Lock()
	defer r.mu.Unlock()
	_ = r.listener.Close()
	for _, c := range r.open {
		_ = c.Close()
	}
	r.open = nil
}

// options make the program take this road.
func (r *road) options(o termtest.Options) termtest.Options {
	o.Args = append(o.Args, "--base-url", "http://"+r.addr+"/v1")
	return o
}

// held answers when the test says so, so that rows can be queued before.
func held(told <-chan struct{}, answer termtest.Response) termtest.Response {
	return func(a *termtest.Answer) {
		select {
		case <-told:
			answer(a)
		case <-a.Gone():
		}
	}
}

// queue fills the queue while the prompt is under way.
func (c chat) queue(n int) (rows []string) {
	c.t.Helper()
	for i := range n {
		rows = append(rows, fmt.Sprintf("row %d", i+1))
		c.say(rows[i])
		c.wantRows(rows...)
	}
	return rows
}

// A used-up limit costs one request and one row, however many prompts wait, and the time that passes sends none of them.
func TestALimitHoldsTheQueue(t *testing.T) {
	t.Parallel()
	reset := time.Now().Add(3 * time.Hour).Truncate(time.Minute).Add(30 * time.Second)
	usage := fmt.Sprintf(`{"error":{"type":"usage_limit_reached","message":"The usage limit has been reached","resets_at":%d}}`, reset.Unix())
	soon := `{"error":{"type":"usage_limit_reached","message":"The usage limit has been reached","resets_in_seconds":1}}`
	quota := termtest.ErrorBody("insufficient_quota", "insufficient_quota", "You exceeded your current quota.")
	for name, f := range map[string]struct {
		body  string
		rows  int
		shows string
		look  time.Duration // how long nothing is to happen
	}{
		"case 1, usage limit":           {usage, 3, reset.Truncate(time.Minute).Add(time.Minute).Format("15:04"), 200 * time.Millisecond},
		"case 2, quota with eight rows": {quota, 8, "held: last turn failed", 200 * time.Millisecond},
		"case 2, the time passes":       {soon, 8, "limit", 2 * time.Second},
		"case 3, quota with ten rows":   {quota, 10, "held: last turn failed", 200 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			told := make(chan struct{})
			p := termtest.NewProvider(t, held(told, termtest.Status(429, nil, f.body)))
			c := open(t, p, termtest.Options{Env: map[string]string{"BATON_RETRY_MAX_WAIT": "500ms"}})
			c.say("the prompt")
			rows := append([]string{"Continue the current turn"}, c.queue(f.rows)...)
			close(told)
			c.failed()
			c.wantRows(rows...)
			c.WaitFor(f.shows)
			for _, r := range c.queued() {
				if !strings.HasPrefix(r, "held") {
					t.Errorf("row %q is not held", r)
				}
			}
			c.quiet(1, f.look)
			c.wantRows(rows...)
			if c.count("Turn failed") != 1 || c.user("the prompt") != 1 || !c.indicator("✗ Error") {
				t.Errorf("the end of the turn:\n%s", c.Picture())
			}
		})
	}
}

// The network goes while the answer streams and comes back: the unfinished turn goes on, the row waits for its success.
func TestNetworkGoesAndComesBack(t *testing.T) {
	t.Parallel()
	t.Run("cases 4 55", func(t *testing.T) {
		p := termtest.NewProvider(t, termtest.StallAfter(3))
		r := newRoad(t, p)
		c := open(t, p, r.options(termtest.Options{Env: map[string]string{"BATON_RETRY_BASE": "400ms", "BATON_RETRY_CAP": "400ms", "BATON_RETRY_ATTEMPTS": "100"}}))
		c.say("the prompt")
		c.WaitFor("word3")
		c.say("row A")
		c.wantRows("row A")
		r.down()
		// One was cut, one at least refused.
		c.Until("a third attempt planned", func() bool { return c.Has("retrying ") && !c.Has("retrying 2/") })
		c.quiet(1, time.Second)
		c.wantRows("row A")
		r.up()
		rs := c.asked(3)
		c.ready()
		c.wantRows()
		wantSame(t, rs[:2])
		wantSpoken(t, rs[2], "user: the prompt", "assistant: echo: the prompt", "user: row A")
		if c.user("the prompt") != 1 || c.Has("word3") || c.Has("Turn failed") {
			t.Errorf("the end of the turn:\n%s", c.Picture())
		}
	})
}

// The whole turn has a limit of its own, which a server that says a little all the time cannot escape.
func TestTurnDeadline(t *testing.T) {
	t.Parallel()
	t.Run("cases 9 87", func(t *testing.T) {
		p := termtest.NewProvider(t)
		p.Always(func(a *termtest.Answer) {
			for a.Sleep(20 * time.Millisecond) {
				a.Token("drip ")
			}
		})
		// The rows wait already when the program is opened: the limit is short.
		env := map[string]string{"BATON_TIMEOUTS_TURN": "1500ms"}
		before := open(t, p, termtest.Options{})
		before.say("the prompt")
		before.WaitFor("drip")
		rows := before.queue(2)
		before.Key("ctrl+c")
		before.ready()
		before.Key("ctrl+d")
		before.Wait()
		c := open(t, p, termtest.Options{Home: before.Home, Env: env, Args: []string{"--continue"}})
		c.Key("ctrl+y")
		c.failed()
		c.wantRows(append([]string{"Continue the current turn"}, rows...)...)
		c.quiet(2, 300*time.Millisecond)
		if s := unwrapped(c); !strings.Contains(s, "Turn failed · timeout") || !strings.Contains(s, "limit of 1.5s") {
			t.Errorf("the end of the turn:\n%s", c.Picture())
		}
	})
}

// A server that reports its own time-out in the stream is asked again; the rows that are left can be edited one by one.
func TestUpstreamTimesOut(t *testing.T) {
	t.Parallel()
	t.Run("case 10", func(t *testing.T) {
		told := make(chan struct{})
		fails := termtest.ErrorEvent(0, "server_error", "Upstream idle timeout exceeded")
		p := termtest.NewProvider(t, held(told, fails), fails, fails, fails, fails)
		c := open(t, p, termtest.Options{Env: quick})
		c.say("the prompt")
		c.queue(3)
		close(told)
		c.failed()
		c.wantRows("Continue the current turn", "row 1", "row 2", "row 3")
		if s := unwrapped(c); !strings.Contains(s, "Upstream idle timeout exceeded") || !strings.Contains(s, "5 attempts") {
			t.Errorf("the end of the turn:\n%s", c.Picture())
		}
		c.selectRow(2)
		c.Key("enter")
		c.WaitFor("enter saves")
		c.Type(" changed")
		c.Key("enter")
		c.wantRows("Continue the current turn", "row 1 changed", "row 2", "row 3")
		c.selectRowAgain(3)
		c.Key("d")
		c.wantRows("Continue the current turn", "row 1 changed", "row 3")
		c.quiet(5, 200*time.Millisecond)
	})
}

// Whatever went before, a prompt entered while nothing runs starts at once.
func TestIdleSubmitRuns(t *testing.T) {
	t.Parallel()
	t.Run("case 18", func(t *testing.T) {
		p := termtest.NewProvider(t, termtest.OK("first"), termtest.Fail(400), termtest.OK("third"), termtest.Hang(), termtest.OK("fifth"))
		c := open(t, p, termtest.Options{})
		c.say("one")
		c.WaitFor("first")
		c.ready()
		c.say("two")
		c.failed()
		c.say("three")
		c.WaitFor("third")
		c.ready()
		c.say("four")
		c.asked(4)
		c.busy()
		c.Key("esc")
		c.ready()
		c.say("five")
		c.WaitFor("fifth")
		c.ready()
		c.wantRows()
	})
}

// The head is open when the turn ends: it is sent once, after the save, and a removed row never.
func TestOpenHead(t *testing.T) {
	t.Parallel()
	t.Run("case 22", func(t *testing.T) {
		g := termtest.NewGate(t, "first ")
		p := termtest.NewProvider(t, g.Response())
		c := open(t, p, termtest.Options{})
		c.say("the prompt")
		g.Wait()
		c.queue(3)
		c.selectRow(2)
		c.Key("d")
		c.wantRows("row 1", "row 3")
		c.selectRowAgain(1)
		c.Key("enter")
		c.WaitFor("enter saves")
		c.Type(" changed")
		c.WaitFor("row 1 changed")
		g.Release("answer")
		c.ready()
		c.quiet(1, 500*time.Millisecond)
		c.Key("enter")
		rs := c.asked(3)
		c.ready()
		c.wantRows()
		if rs[1].Last() != "row 1 changed" || rs[2].Last() != "row 3" {
			t.Errorf("%q, then %q", rs[1].Last(), rs[2].Last())
		}
		c.quiet(3, 200*time.Millisecond)
	})
}

// Nobody listens when a row's turn comes: its text is the failed turn's, and one key runs it again.
func TestPromotedIntoNowhere(t *testing.T) {
	t.Parallel()
	t.Run("cases 23 101", func(t *testing.T) {
		g := termtest.NewGate(t, "first ")
		p := termtest.NewProvider(t, g.Response())
		r := newRoad(t, p)
		o := r.options(termtest.Options{Env: map[string]string{"BATON_RETRY_ATTEMPTS": "2", "BATON_RETRY_BASE": "1ms"}})
		c := open(t, p, o)
		c.say("the prompt")
		g.Wait()
		c.queue(1)
		r.mu.Lock()
		_ = r.listener.Close() // the answer that is under way goes on
		r.mu.Unlock()
		g.Release("answer")
		c.failed()
		c.WaitFor("first answer")
		c.wantRows()
		if c.user("row 1") != 1 || !strings.Contains(unwrapped(c), "cannot reach "+r.addr) {
			t.Errorf("the row has gone:\n%s", c.Picture())
		}
		r.up()
		c.Key("ctrl+y")
		rs := c.asked(2)
		c.ready()
		wantSpoken(t, rs[1], "user: the prompt", "assistant: first answer", "user: row 1")
		if c.user("row 1") != 1 || c.count("Turn failed") != 1 {
			t.Errorf("the retry:\n%s", c.Picture())
		}
	})
}

// A full queue in small windows: rows are moved and removed one by one, and the selection is seen and stays with its row.
func TestSixteenRowsInSmallWindows(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{80, 24}, {40, 10}} {
		t.Run(fmt.Sprintf("case 26, %dx%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			g := termtest.NewGate(t, "first ")
			p := termtest.NewProvider(t, g.Response())
			c := open(t, p, termtest.Options{Width: size[0], Height: size[1]})
			c.say("go")
			g.Wait()
			var want []string
			for i := range 16 {
				c.say(fmt.Sprintf("row-%d", i+1))
				want = append(want, fmt.Sprintf("row-%d", i+1))
			}
			selected := func(n int, text string) {
				t.Helper()
				c.Until(fmt.Sprintf("%s selected as row %d", text, n), func() bool {
					for _, l := range c.Lines() {
						if strings.HasPrefix(l, fmt.Sprintf("› %d ", n)) || strings.HasPrefix(l, fmt.Sprintf("›%d ", n)) {
							return strings.HasSuffix(l, text)
						}
					}
					return false
				})
			}
			c.selectRow(12)
			selected(12, "row-12")
			c.Key("K", "K")
			selected(10, "row-12")
			c.Key("d")
			selected(10, "row-10")
			want = append(want[:11], want[12:]...)
			g.Release("answer")
			rs := c.asked(16)
			c.ready()
			for i, w := range want {
				if got := rs[i+1].Last(); got != w {
					t.Errorf("request %d asks %q, want %q", i+2, got, w)
				}
			}
		})
	}
}

// killed starts a turn, leaves it in its wait with two rows behind it, and kills the program.
func killed(t *testing.T) (chat, *termtest.Provider) {
	t.Helper()
	p := termtest.NewProvider(t, termtest.Fail(503))
	c := open(t, p, termtest.Options{Env: map[string]string{"BATON_RETRY_BASE": "1h", "BATON_RETRY_CAP": "1h"}})
	c.say("the prompt")
	c.WaitFor("retrying 2/5")
	c.queue(2)
	c.Kill9()
	return c, p
}

// Killed in a wait, the program offers everything again and sends nothing by itself, however often it is opened.
func TestKilledInAWait(t *testing.T) {
	t.Parallel()
	t.Run("cases 28 30, opened twice", func(t *testing.T) {
		t.Parallel()
		c, p := killed(t)
		for range 2 {
			d := open(t, p, termtest.Options{Home: c.Home, Args: []string{"--continue"}})
			d.WaitFor("held: restored")
			d.wantRows("row 1", "row 2")
			if d.user("the prompt") != 1 || d.count("Interrupted") != 1 {
				t.Errorf("the interrupted turn:\n%s", d.Picture())
			}
			d.quiet(1, 500*time.Millisecond)
			d.Key("ctrl+d")
			d.Wait()
		}
	})
	t.Run("case 29, another prompt takes no row along", func(t *testing.T) {
		t.Parallel()
		c, p := killed(t)
		d := open(t, p, termtest.Options{Home: c.Home, Args: []string{"--continue"}})
		d.WaitFor("held: restored")
		d.say("unrelated")
		rs := d.asked(2)
		d.WaitFor("echo: unrelated")
		d.ready()
		d.wantRows("row 1", "row 2")
		d.quiet(2, 500*time.Millisecond)
		if s := strings.Join(spoken(rs[1]), "|"); strings.Contains(s, "row") || rs[1].Last() != "unrelated" {
			t.Errorf("%q", s)
		}
		d.play()
		d.asked(4)
		d.ready()
		d.wantRows()
	})
}

// Two files, one with a blank in its path, stay with their row when its text is edited.
func TestFilesStayWithTheirRow(t *testing.T) {
	t.Parallel()
	t.Run("case 34", func(t *testing.T) {
		home := t.TempDir()
		for name, text := range map[string]string{"one two.txt": "the first file", "three.txt": "the second file"} {
			if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		g := termtest.NewGate(t, "first ")
		p := termtest.NewProvider(t, g.Response())
		c := open(t, p, termtest.Options{Home: home})
		c.say("the prompt")
		g.Wait()
		c.say("/attach " + filepath.Join(home, "one two.txt"))
		c.WaitFor("with one two.txt")
		c.say("/attach " + filepath.Join(home, "three.txt"))
		c.WaitFor("three.txt")
		c.say("see these")
		c.Until("a row", func() bool { return len(c.rows()) == 1 })
		c.selectRow(1)
		c.Key("enter")
		c.WaitFor("enter saves")
		c.Type(" changed")
		c.Key("enter")
		c.Until("the edited row", func() bool { return strings.HasPrefix(strings.Join(c.rows(), "|"), "see these changed") })
		g.Release("answer")
		rs := c.asked(2)
		c.ready()
		for _, want := range []string{"see these changed", "one two.txt", "the first file", "three.txt", "the second file"} {
			if !strings.Contains(string(rs[1].Body), want) {
				t.Errorf("%q was not sent: %s", want, rs[1].Body)
			}
		}
	})
}

// Stopped 10 ms after Enter, the prompt is in the log and can be run again.
func TestStoppedAtOnce(t *testing.T) {
	t.Parallel()
	t.Run("case 37", func(t *testing.T) {
		p := termtest.NewProvider(t, termtest.Hang())
		c := open(t, p, termtest.Options{})
		c.Type("the prompt")
		c.Until("the prompt", func() bool { return c.composer() == "the prompt" })
		c.Raw("\r")
		time.Sleep(10 * time.Millisecond)
		c.Key("esc")
		c.WaitFor("Stopped")
		c.ready()
		c.Kill9()
		d := open(t, p, termtest.Options{Home: c.Home, Args: []string{"--continue"}})
		if d.user("the prompt") != 1 {
			t.Errorf("the prompt is lost:\n%s", d.Picture())
		}
		p.Always(termtest.Echo())
		n := p.Count()
		d.Key("ctrl+y")
		if rs := d.asked(n + 1); rs[n].Last() != "the prompt" {
			t.Errorf("asked %q", rs[n].Last())
		}
	})
}

// While the connection comes about, esc works as well.
func TestStopWhileConnecting(t *testing.T) {
	t.Parallel()
	t.Run("cases 56 59 60, connecting", func(t *testing.T) {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer listener.Close()
		came, gone := make(chan struct{}), make(chan struct{})
		go func() {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			close(came)
			_, _ = io.Copy(io.Discard, c) // no handshake is ever answered
			close(gone)
		}()
		p := termtest.NewProvider(t)
		c := open(t, p, termtest.Options{Args: []string{"--base-url", "https://" + listener.Addr().String()}})
		c.say("the prompt")
		<-came
		c.wantChrome()
		c.Key("esc")
		c.ready()
		select {
		case <-gone:
		case <-time.After(10 * time.Second):
			t.Error("the connection stays open")
		}
		if c.count("Stopped") != 1 {
			t.Errorf("the end of the turn:\n%s", c.Picture())
		}
	})
}

// Each attempt fails with another text. The last one is kept as failed, and none is sent.
func TestLastPartialIsKept(t *testing.T) {
	t.Parallel()
	t.Run("cases 94 97", func(t *testing.T) {
		var cuts []termtest.Response
		for i := range 5 {
			cuts = append(cuts, func(a *termtest.Answer) { a.Token(fmt.Sprintf("partial-%d", i+1)); a.Cut() })
		}
		p := termtest.NewProvider(t, cuts...)
		c := open(t, p, termtest.Options{Env: quick})
		c.say("the prompt")
		c.failed()
		c.WaitFor("partial-5")
		for i := range 4 {
			if c.Has(fmt.Sprintf("partial-%d", i+1)) {
				t.Errorf("text of attempt %d is left:\n%s", i+1, c.Picture())
			}
		}
		c.Kill9()
		d := open(t, p, termtest.Options{Home: c.Home, Args: []string{"--continue"}})
		d.WaitFor("partial-5")
		d.say("go on")
		rs := d.asked(6)
		d.ready()
		for _, m := range rs[5].Messages {
			if strings.Contains(m.Text, "partial") || strings.TrimSpace(m.Text) == "" {
				t.Errorf("%q", spoken(rs[5]))
			}
		}
	})
}

// Names are outside text too. A model's is refused where a person gives it, and shown or left alone where it comes from the
// server's list.
func TestHostileNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"H1 clipboard", "H2 title", "H3 query", "H5 C1", "H6 order"} {
		text := hostile[name].text
		if strings.ContainsFunc(text, unicode.IsControl) { // others are shown, as those from the list are
			t.Run("case 103, given, "+name, func(t *testing.T) {
				t.Parallel()
				s := termtest.Start(t, termtest.Options{Args: []string{"--base-url", "http://127.0.0.1:1/v1", "--model", "m" + text}})
				if code, out := s.Wait(), string(s.Output()); code != 2 && code != 78 || strings.Count(out, "\n") != 1 {
					t.Errorf("exit code %d: %q", code, out)
				}
			})
		}
		t.Run("case 103, listed, "+name, func(t *testing.T) {
			t.Parallel()
			p := termtest.NewProvider(t)
			p.Models("m" + text)
			c := chat{termtest.Start(t, termtest.Options{Args: []string{"--base-url", p.URL()}, Width: 120, Height: 20}), t, p}
			c.idle()
			c.say("hello")
			c.WaitFor("echo: hello")
			c.ready()
			if c.count(hostile[name].shown) != 1 { // in the header
				t.Errorf("the name is not shown:\n%s", c.Picture())
			}
			c.unharmed("baton: ready")
		})
	}
}

// Whatever runs, ctrl+c stops it, and twice more ends the program with the terminal as it was.
func TestInterruptedInEachPhase(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]struct {
		answer termtest.Response
		shows  string
	}{
		"waiting":   {termtest.Silent(), "waiting"},
		"streaming": {termtest.StallAfter(3), "word3"},
		"backoff":   {termtest.Fail(503), "retrying 2/5"},
	} {
		t.Run("case 108, "+name, func(t *testing.T) {
			t.Parallel()
			p := termtest.NewProvider(t, f.answer)
			c := open(t, p, termtest.Options{Env: map[string]string{"BATON_RETRY_BASE": "1h", "BATON_RETRY_CAP": "1h"}})
			c.say("the prompt")
			c.WaitFor(f.shows)
			c.say("row A")
			c.say("row B")
			c.wantRows("row A", "row B")
			c.Key("ctrl+c")
			c.ready()
			time.Sleep(800 * time.Millisecond) // so that the next one is none that repeats, however fast the one behind it comes
			c.Key("ctrl+c")
			c.WaitFor("once more")
			c.Key("ctrl+c")
			c.wantEnd(0, 1)
		})
	}
	t.Run("case 108, SIGHUP while streaming", func(t *testing.T) {
		t.Parallel()
		p := termtest.NewProvider(t, termtest.StallAfter(3))
		c := open(t, p, termtest.Options{})
		c.say("the prompt")
		c.WaitFor("word3")
		c.say("row A")
		c.say("row B")
		c.wantRows("row A", "row B")
		c.Signal(syscall.SIGHUP)
		c.wantEnd(129, 1)
	})
}
