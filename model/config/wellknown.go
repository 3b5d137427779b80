package config

import "strings"

// WellKnown is a variable that many programs use for the key of one service. It is
// used without being asked for at that service's origin only, never elsewhere.
type WellKnown struct {
	Env     string // "OPENAI_API_KEY"
	BaseURL string // where the service answers in the openai-chat protocol; the key is good for its others too
}

// Origin is the only place the key goes by itself.
func (w WellKnown) Origin() string { return originOf(w.BaseURL) }

// Offer is the one line that tells a person what a key they have is good for.
func (w WellKnown) Offer() string {
	return w.Env + " is set: baton --base-url " + w.BaseURL + " uses it"
}

// wellKnown is ordered as offers are shown.
var wellKnown = []WellKnown{
	{"OPENAI_API_KEY", "https://api.openai.com/v1"},
	{"ANTHROPIC_API_KEY", "https://api.anthropic.com/v1"},
	{"GEMINI_API_KEY", "https://generativelanguage.googleapis.com/v1beta/openai"},
	{"OPENROUTER_API_KEY", "https://openrouter.ai/api/v1"},
	{"GROQ_API_KEY", "https://api.groq.com/openai/v1"},
	{"DEEPSEEK_API_KEY", "https://api.deepseek.com/v1"},
	{"MISTRAL_API_KEY", "https://api.mistral.ai/v1"},
	{"XAI_API_KEY", "https://api.x.ai/v1"},
}

// Offers lists the well-known keys the environment holds. They are to be offered, not
// used: only an agent at the key's own origin uses one.
func Offers(env func(string) string) []WellKnown {
	var out []WellKnown
	for _, w := range wellKnown {
		if strings.TrimSpace(env(w.Env)) != "" {
			out = append(out, w)
		}
	}
	return out
}

// boundTo returns the variable that belongs to an origin, or "".
func boundTo(origin string) string {
	for _, w := range wellKnown {
		if w.Origin() == origin {
			return w.Env
		}
	}
	return ""
}
