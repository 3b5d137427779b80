package leaktest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestMain(m *testing.M) { Exit(m.Run()) }

// lingering says that it runs: until then its stack names whatever the compiler has put around the call.
func lingering(runs chan<- struct{}, end <-chan struct{}) {
	close(runs)
	<-end
}

// A goroutine that stays is found, with the function it is in; once it ends, nothing is.
func TestLeft(t *testing.T) {
	if left := Left(patience); len(left) > 0 {
		t.Fatalf("before: %s", strings.Join(left, "\n\n"))
	}
	runs, end := make(chan struct{}), make(chan struct{})
	go lingering(runs, end)
	<-runs
	if left := Left(20 * time.Millisecond); len(left) != 1 || !strings.Contains(left[0], "leaktest.lingering") {
		t.Errorf("%d left: %s", len(left), strings.Join(left, "\n\n"))
	}
	close(end)
	if left := Left(patience); len(left) > 0 {
		t.Errorf("after: %s", strings.Join(left, "\n\n"))
	}
}

// One that ends within the time that is granted does not count.
func TestPatience(t *testing.T) {
	end := make(chan struct{})
	go lingering(make(chan struct{}), end)
	time.AfterFunc(20*time.Millisecond, func() { close(end) })
	if left := Left(patience); len(left) > 0 {
		t.Errorf("%s", strings.Join(left, "\n\n"))
	}
}

// A connection that a test's own request keeps is no leak; the server it went to is, as
// long as it runs.
func TestConnections(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok") }))
	response, err := http.Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(response.Body); err != nil {
		t.Error(err)
	}
	_ = response.Body.Close()
	if left := Left(20 * time.Millisecond); len(left) == 0 {
		t.Error("a server that runs is not seen")
	}
	server.Close()
	if left := Left(patience); len(left) > 0 {
		t.Errorf("%s", strings.Join(left, "\n\n"))
	}
}
