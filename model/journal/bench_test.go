package journal

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// bigLog is the environment variable with the size in MB of the large log of BenchmarkOpenTail. It is written in
// full, with real lines; 1024 takes a gigabyte of disk.
const bigLog = "BATON_JOURNAL_BIG_MB"

// BenchmarkAppend reports how much an Append of a value of the program's own costs beside a bare write of the same
// bytes, and beside its bare encoding and a write, in turn.
func BenchmarkAppend(b *testing.B) {
	dir := b.TempDir()
	w := must(create(dir, "s", Header{}, with(unsynced)))
	defer w.Close()
	bare := must(os.Create(filepath.Join(dir, "bare")))
	defer bare.Close()
	value := struct {
		Text string `json:"text"`
	}{strings.Repeat("x", 1000)}
	entries := []Entry{{Kind: "said", Value: value}}
	text := must(encodeBatch(Batch{Seq: 1, Entries: entries}, MaxLine))
	// The middle of many, since a machine that does something else at times would decide a sum.
	var ours, encoded, written []time.Duration
	b.ReportAllocs()
	for b.Loop() {
		start := time.Now()
		must(w.Append(start, entries))
		appended := time.Now()
		must(json.Marshal(value))
		marshalled := time.Now()
		must(bare.Write(text))
		ours = append(ours, appended.Sub(start))
		encoded = append(encoded, marshalled.Sub(appended))
		written = append(written, time.Since(marshalled))
	}
	middle := func(d []time.Duration) float64 { slices.Sort(d); return float64(d[len(d)/2]) }
	b.ReportMetric(middle(ours), "ns/append")
	b.ReportMetric(middle(ours)/middle(written), "times-a-write")
	b.ReportMetric(middle(ours)/(middle(encoded)+middle(written)), "times-encode-and-write")
}

// syncCount counts the real fsyncs of a file.
type syncCount struct {
	file
	n *atomic.Int64
}

func (s syncCount) Sync() error {
	s.n.Add(1)
	return s.file.Sync()
}

// BenchmarkGroupCommit reports how many fsyncs a record costs when 16 goroutines append at once, each as fast as it
// can, and what a record costs beside one that is synced alone.
func BenchmarkGroupCommit(b *testing.B) {
	var syncs atomic.Int64
	w := must(create(b.TempDir(), "s", Header{}, with(func(f file) file { return syncCount{f, &syncs} })))
	defer w.Close()
	entries := say(strings.Repeat("x", 200))
	var records atomic.Int64
	begin := time.Now()
	for b.Loop() {
		var all sync.WaitGroup
		for range 16 {
			all.Go(func() {
				for range 50 {
					must(w.Append(begin, entries))
				}
				records.Add(50)
			})
		}
		all.Wait()
	}
	b.ReportMetric(float64(syncs.Load())/float64(records.Load()), "syncs/record")
	b.ReportMetric(float64(time.Since(begin))/float64(records.Load()), "ns/record")
}

// BenchmarkOpenTail opens a log of 1 MB and a large one by their tails, in turn, and reports what the large one
// costs: bytes and time of each, and the ratio.
func BenchmarkOpenTail(b *testing.B) {
	big := int64(64)
	if text := os.Getenv(bigLog); text != "" {
		big = must(strconv.ParseInt(text, 10, 64))
	}
	small, large := b.TempDir(), b.TempDir()
	tailed(b, small, 1<<20)
	tailed(b, large, big<<20)
	open := func(dir string) (time.Duration, int64) {
		begin := time.Now()
		w, _, err := OpenTail(dir, "s", markKind)
		if err != nil {
			b.Fatal(err)
		}
		took := time.Since(begin)
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
		r := must(OpenReader(dir, "s"))
		defer r.Close()
		must(r.Tail(markKind))
		return took, r.BytesRead()
	}
	bestSmall, bestLarge := time.Hour, time.Hour
	var bytesSmall, bytesLarge int64
	for b.Loop() {
		var took time.Duration
		took, bytesSmall = open(small)
		bestSmall = min(bestSmall, took)
		took, bytesLarge = open(large)
		bestLarge = min(bestLarge, took)
	}
	b.ReportMetric(float64(bytesSmall), "bytes-of-1MB")
	b.ReportMetric(float64(bytesLarge), "bytes-of-large")
	b.ReportMetric(float64(bestSmall.Microseconds()), "us-of-1MB")
	b.ReportMetric(float64(bestLarge.Microseconds()), "us-of-large")
	b.ReportMetric(float64(bestLarge)/float64(bestSmall), "large/1MB")
}

// BenchmarkReplay reads a log at once and decodes the same lines with encoding/json alone, in turn.
func BenchmarkReplay(b *testing.B) {
	dir := b.TempDir()
	tailed(b, dir, 8<<20)
	data := must(os.ReadFile(filepath.Join(dir, "s.jsonl")))
	lines := bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))[1:]
	ours, bare := time.Hour, time.Hour
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		begin := time.Now()
		if read := must(readAll(bytes.NewReader(data))); len(read.c.Batches) != len(lines) {
			b.Fatal(len(read.c.Batches))
		}
		middle := time.Now()
		for _, line := range lines {
			var record struct {
				Seq     uint64    `json:"seq"`
				Time    time.Time `json:"time"`
				Entries []Entry   `json:"entries"`
			}
			if err := json.Unmarshal(line, &record); err != nil {
				b.Fatal(err)
			}
		}
		ours, bare = min(ours, middle.Sub(begin)), min(bare, time.Since(middle))
	}
	rate := func(d time.Duration) float64 { return float64(len(data)) / d.Seconds() / 1e6 }
	b.ReportMetric(rate(ours), "MB/s-replay")
	b.ReportMetric(rate(bare), "MB/s-json")
	b.ReportMetric(float64(ours)/float64(bare), "replay/json")
}
