package retrypolicy

import (
	"strings"
	"testing"
	"time"
)

var answered = time.Date(2026, 3, 4, 14, 0, 0, 0, time.UTC)

type headers = map[string][]string

func one(name, value string) headers { return headers{name: {value}} }

var hints = []struct {
	name   string
	status int
	header headers
	body   string
	want   time.Duration
	source string
}{
	{"nothing", 429, nil, "", 0, ""},
	{"seconds", 429, one("Retry-After", "7"), "", 7 * time.Second, "Retry-After"},
	{"any status", 500, one("Retry-After", "7"), "", 7 * time.Second, "Retry-After"},
	{"lower case and blanks", 429, one("retry-after", " 7 "), "", 7 * time.Second, "Retry-After"},
	{"decimal", 429, one("Retry-After", "1.5"), "", 1500 * time.Millisecond, "Retry-After"},
	{"decimal without a whole part", 429, one("Retry-After", ".25"), "", 250 * time.Millisecond, "Retry-After"},
	{"zero", 429, one("Retry-After", "0"), "", 0, ""},
	{"negative", 429, one("Retry-After", "-5"), "", 0, ""},
	{"word", 429, one("Retry-After", "abc"), "", 0, ""},
	{"empty", 429, one("Retry-After", ""), "", 0, ""},
	{"point", 429, one("Retry-After", "."), "", 0, ""},
	{"two points", 429, one("Retry-After", "1.2.3"), "", 0, ""},
	{"not a number", 429, one("Retry-After", "NaN"), "", 0, ""},
	{"infinite", 429, one("Retry-After", "Inf"), "", 0, ""},
	{"exponent", 429, one("Retry-After", "1e9"), "", 0, ""},
	{"hexadecimal", 429, one("Retry-After", "0x10"), "", 0, ""},
	{"14 days", 429, one("Retry-After", "1209600"), "", 14 * 24 * time.Hour, "Retry-After"},
	{"overflow", 429, one("Retry-After", "9999999999"), "", Forever, "Retry-After"},
	{"400 digits", 429, one("Retry-After", strings.Repeat("9", 400)), "", Forever, "Retry-After"},
	{"several values", 429, headers{"Retry-After": {"3", "9", "x"}}, "", 9 * time.Second, "Retry-After"},

	{"date", 429, one("Retry-After", "Wed, 04 Mar 2026 14:00:04 GMT"), "", 4 * time.Second, "Retry-After"},
	{"date of RFC 850", 429, one("Retry-After", "Wednesday, 04-Mar-26 14:00:04 GMT"), "", 4 * time.Second, "Retry-After"},
	{"date of asctime", 429, one("Retry-After", "Wed Mar  4 14:00:04 2026"), "", 4 * time.Second, "Retry-After"},
	{"date in the past", 429, one("Retry-After", "Wed, 04 Mar 2026 13:59:59 GMT"), "", 0, ""},
	{"date, server an hour ahead", 429, headers{
		"Retry-After": {"Wed, 04 Mar 2026 15:00:04 GMT"}, "Date": {"Wed, 04 Mar 2026 15:00:00 GMT"},
	}, "", 4 * time.Second, "Retry-After"},
	{"date, server an hour behind", 429, headers{
		"Retry-After": {"Wed, 04 Mar 2026 13:00:04 GMT"}, "Date": {"Wed, 04 Mar 2026 13:00:00 GMT"},
	}, "", 4 * time.Second, "Retry-After"},
	{"date, unreadable Date", 429, headers{
		"Retry-After": {"Wed, 04 Mar 2026 14:00:04 GMT"}, "Date": {"today"},
	}, "", 4 * time.Second, "Retry-After"},
	{"date far away", 429, one("Retry-After", "Fri, 31 Dec 9999 23:59:59 GMT"), "", Forever, "Retry-After"},

	{"milliseconds", 429, one("Retry-After-Ms", "1200"), "", 1200 * time.Millisecond, "retry-after-ms"},
	{"milliseconds overflow", 429, one("retry-after-ms", strings.Repeat("9", 30)), "", Forever, "retry-after-ms"},
	{"the longest wins", 429, headers{"Retry-After": {"2"}, "Retry-After-Ms": {"2500"}}, "", 2500 * time.Millisecond, "retry-after-ms"},

	{"reset in seconds", 429, one("X-Ratelimit-Reset", "20"), "", 20 * time.Second, "x-ratelimit-reset"},
	{"reset as a span", 429, one("X-Ratelimit-Reset-Tokens", "6m0s"), "", 6 * time.Minute, "x-ratelimit-reset-tokens"},
	{"reset 1s", 503, one("X-Ratelimit-Reset-Requests", "1s"), "", time.Second, "x-ratelimit-reset-requests"},
	{"reset 20ms", 429, one("X-Ratelimit-Reset-Requests", "20ms"), "", 20 * time.Millisecond, "x-ratelimit-reset-requests"},
	{"reset 1h2m3.5s", 429, one("X-Ratelimit-Reset-Requests", "1h2m3.5s"), "", 3723500 * time.Millisecond, "x-ratelimit-reset-requests"},
	{"reset in days", 429, one("X-Ratelimit-Reset", "2d"), "", 48 * time.Hour, "x-ratelimit-reset"},
	{"reset span out of range", 429, one("X-Ratelimit-Reset", "99999999999h"), "", Forever, "x-ratelimit-reset"},
	{"reset span unreadable", 429, one("X-Ratelimit-Reset", "6 minutes"), "", 0, ""},
	{"reset unit without a number", 429, one("X-Ratelimit-Reset", "ms"), "", 0, ""},
	{"reset as Unix seconds", 429, one("X-Ratelimit-Reset", "1772632830"), "", 30 * time.Second, "x-ratelimit-reset"},
	{"reset as Unix milliseconds", 429, one("X-Ratelimit-Reset", "1772632830000"), "", 30 * time.Second, "x-ratelimit-reset"},
	{"reset in the past", 429, one("X-Ratelimit-Reset", "1772632799"), "", 0, ""},
	{"reset as Unix seconds far away", 429, one("X-Ratelimit-Reset", "99999999999"), "", Forever, "x-ratelimit-reset"},
	{"reset as ISO", 429, one("X-Ratelimit-Reset-Tokens", "2026-03-04T14:00:30Z"), "", 30 * time.Second, "x-ratelimit-reset-tokens"},
	{"reset as ISO with a zone", 429, one("X-Ratelimit-Reset-Tokens", "2026-03-04T16:00:30.5+02:00"), "", 30500 * time.Millisecond, "x-ratelimit-reset-tokens"},
	{"reset as ISO, other clock", 429, headers{
		"X-Ratelimit-Reset-Tokens": {"2026-03-04T15:00:30Z"}, "Date": {"Wed, 04 Mar 2026 15:00:00 GMT"},
	}, "", 30 * time.Second, "x-ratelimit-reset-tokens"},
	{"reset on another status", 500, one("X-Ratelimit-Reset", "20"), "", 0, ""},
	{"reset on 200", 200, one("X-Ratelimit-Reset", "20"), "", 0, ""},
	{"only of the dimension used up", 429, headers{
		"X-Ratelimit-Reset-Tokens": {"50s"}, "X-Ratelimit-Remaining-Tokens": {"11"},
		"X-Ratelimit-Reset-Requests": {"2s"}, "X-Ratelimit-Remaining-Requests": {"0"},
	}, "", 2 * time.Second, "x-ratelimit-reset-requests"},
	{"all dimensions left", 429, headers{
		"X-Ratelimit-Reset-Tokens": {"50s"}, "X-Ratelimit-Remaining-Tokens": {"11"},
	}, "", 0, ""},
	{"overdrawn", 429, headers{
		"X-Ratelimit-Reset-Tokens": {"50s"}, "X-Ratelimit-Remaining-Tokens": {"-3"},
	}, "", 50 * time.Second, "x-ratelimit-reset-tokens"},
	{"bare remaining belongs to the bare reset", 429, headers{
		"X-Ratelimit-Reset": {"50"}, "X-Ratelimit-Remaining": {"1"}, "X-Ratelimit-Reset-Tokens": {"5"},
	}, "", 5 * time.Second, "x-ratelimit-reset-tokens"},
	{"another header of that name", 429, one("X-Ratelimit-Resetting", "50"), "", 0, ""},
	{"reset-after", 429, one("X-Ratelimit-Reset-After", "12.5"), "", 12500 * time.Millisecond, "x-ratelimit-reset-after"},
	{"reset-after-seconds", 429, one("X-Codex-Primary-Reset-After-Seconds", "3600"), "", time.Hour, "x-codex-primary-reset-after-seconds"},
	{"reset-after is never a clock time", 429, one("X-Ratelimit-Reset-After", "1772632830"), "", 1772632830 * time.Second, "x-ratelimit-reset-after"},
	{"reset-after with something left", 429, headers{
		"X-Ratelimit-Reset-After": {"12"}, "X-Ratelimit-Remaining": {"4"},
	}, "", 0, ""},
	{"reset-after below 100 percent", 429, headers{
		"X-Codex-Primary-Reset-After-Seconds": {"30"}, "X-Codex-Primary-Used-Percent": {"100"},
		"X-Codex-Secondary-Reset-After-Seconds": {"9000"}, "X-Codex-Secondary-Used-Percent": {"41"},
	}, "", 30 * time.Second, "x-codex-primary-reset-after-seconds"},
	{"reset-after on another status", 400, one("X-Ratelimit-Reset-After", "12"), "", 0, ""},

	{"body retryDelay", 429, nil, `{"error":{"details":[{"@type":"x/google.rpc.RetryInfo","retryDelay":"37s"}]}}`, 37 * time.Second, "retryDelay"},
	{"body retryDelay in a list", 429, nil, `[{"error":{"details":[{"retryDelay":"1.5s"}]}}]`, 1500 * time.Millisecond, "retryDelay"},
	{"body RetryInfo", 200, nil, `{"error":{"RetryInfo":{"retry_delay":{"seconds":3,"nanos":500000000}}}}`, 3500 * time.Millisecond, "retryDelay"},
	{"body resets_at", 429, nil, `{"error":{"type":"usage_limit_reached","resets_at":1772632830}}`, 30 * time.Second, "resets_at"},
	{"body resets_at as ISO", 429, nil, `{"resets_at":"2026-03-04T14:00:30Z"}`, 30 * time.Second, "resets_at"},
	{"body resets_in_seconds", 429, nil, `{"error":{"resets_in_seconds":12}}`, 12 * time.Second, "resets_in_seconds"},
	{"body resets_in_seconds as text", 429, nil, `{"details":{"resetsInSeconds":"12"}}`, 12 * time.Second, "resets_in_seconds"},
	{"body wide number", 429, nil, `{"resets_in_seconds":` + strings.Repeat("9", 400) + `}`, Forever, "resets_in_seconds"},
	{"body negative", 429, nil, `{"resets_in_seconds":-4,"retryDelay":"-3s","resets_at":-1}`, 0, ""},
	{"body elsewhere", 429, nil, `{"request":{"retryDelay":"9s"},"message":"retryDelay: 9s"}`, 0, ""},
	{"body no JSON", 429, nil, `<html>retryDelay</html>`, 0, ""},
	{"body nested deep", 429, nil, strings.Repeat(`{"error":`, 20000), 0, ""},
	{"header and body", 429, one("Retry-After", "5"), `{"error":{"resets_in_seconds":12}}`, 12 * time.Second, "resets_in_seconds"},
}

func TestParseHints(t *testing.T) {
	for _, tt := range hints {
		t.Run(tt.name, func(t *testing.T) {
			got := ParseHints(tt.status, tt.header, []byte(tt.body), answered)
			want := Hint{Wait: tt.want, Source: tt.source}
			if tt.want > 0 {
				want.Until = answered.Add(tt.want)
			}
			if got != want {
				t.Errorf("got %v from %q until %v, want %v from %q", got.Wait, got.Source, got.Until, want.Wait, want.Source)
			}
		})
	}
}

func TestQuotaIDs(t *testing.T) {
	body := `{"error":{"details":[{"violations":[{"quotaId":"PerDay","quotaMetric":"m"},{"quotaId":"PerMinute"}]}]}}`
	if got := QuotaIDs([]byte(body)); got != "PerDay,PerMinute" {
		t.Errorf("got %q", got)
	}
	if got := QuotaIDs(nil); got != "" {
		t.Errorf("nothing gave %q", got)
	}
}

func FuzzParseHints(f *testing.F) {
	for _, tt := range hints {
		for name, values := range tt.header {
			f.Add(tt.status, name, values[0], "", tt.body)
		}
	}
	f.Add(429, "X-Ratelimit-Reset", "1.7e9s", "Fri, 31 Dec 9999 23:59:59 GMT", `{"retryDelay":{"seconds":"-1"}}`)
	f.Fuzz(func(t *testing.T, status int, name, value, date, body string) {
		h := ParseHints(status, headers{name: {value}, "Date": {date}}, []byte(body), answered)
		if h.Wait < 0 || h.Wait > Forever {
			t.Errorf("wait %v is out of range", h.Wait)
		}
		if (h.Wait > 0) != (h.Source != "") || h.Wait > 0 && !h.Until.After(answered) {
			t.Errorf("hint %+v does not agree with itself", h)
		}
		if strings.ContainsFunc(h.Source, func(r rune) bool { return r < ' ' || r > '~' }) {
			t.Errorf("source %q is not plain", h.Source)
		}
		if d := Delay(1, RateLimited, DefaultPolicy(), h, nil); d < h.Wait {
			t.Errorf("delay %v is below the hint %v", d, h.Wait)
		}
	})
}
