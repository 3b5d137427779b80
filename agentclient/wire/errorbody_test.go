package wire

import (
	"strings"
	"testing"
)

func TestReadError(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     said
	}{
		{"object", `{"error":{"message":"m","type":"t","code":"c"}}`, said{"m", "t", "c"}},
		{"numeric_code", `{"error":{"message":"m","code":429}}`, said{"m", "", "429"}},
		{"null_code", `{"error":{"message":"m","type":"t","param":null,"code":null}}`, said{"m", "t", ""}},
		{"text", `{"error":"no such model"}`, said{"no such model", "", ""}},
		{"code_and_words", `{"error":"invalid_request","message":"words"}`, said{"words", "", "invalid_request"}},
		{"message", `{"message":"m","type":"t","code":400}`, said{"m", "t", "400"}},
		{"detail", `{"detail":"Not Found"}`, said{"Not Found", "", ""}},
		{"detail_list", `{"detail":[{"msg":"field required"}]}`, said{`[{"msg":"field required"}]`, "", ""}},
		{"array", `[{"error":{"message":"m","status":"RESOURCE_EXHAUSTED","code":429}}]`, said{"m", "RESOURCE_EXHAUSTED", "429"}},
		{"reason", `{"error":{"message":"m","status":"INVALID_ARGUMENT","code":400,"details":[{"@type":"x"},{"reason":"API_KEY_INVALID"}]}}`, said{"m", "INVALID_ARGUMENT", "API_KEY_INVALID"}},
		{"code_in_words_stays", `{"error":{"message":"m","code":"c","details":[{"reason":"r"}]}}`, said{"m", "", "c"}},
		{"details_of_another_kind", `{"error":{"message":"m","code":400,"details":"r"}}`, said{"m", "", "400"}},
		{"typed", `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, said{"Overloaded", "overloaded_error", ""}},
		{"81_page", "<!doctype html><html><head><title>\n 521: Web server\tis down &amp; out</title></head><body>" + strings.Repeat("<p>x</p>", 5000), said{"521: Web server\tis down & out", "", ""}},
		{"81_heading", "<html><body><h1>Bad <b>Gateway</b></h1>", said{"Bad Gateway", "", ""}},
		{"81_no_title", "<html><body>" + strings.Repeat("<div>", 9), said{}},
		{"plain", "upstream went away\n", said{"upstream went away", "", ""}},
		{"half_json", `{"error":{"message":"m"`, said{`{"error":{"message":"m"`, "", ""}},
		{"W2_nested", strings.Repeat(`{"error":`, 7000), said{strings.Repeat(`{"error":`, 7000), "", ""}},
		{"empty", " \n", said{}},
		{"empty_object", `{}`, said{}},
		{"null_error", `{"error":null,"message":"m"}`, said{"m", "", ""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := readError([]byte(c.in)); got != c.want {
				t.Errorf("got %.200q, want %.200q", got, c.want)
			}
		})
	}
}
