//go:build unix

package tour

// verb is one kind of step: those that look have check, all others do.
type verb struct {
	usage       string
	least, most int  // how many arguments; most < 0: any number
	texts       bool // an argument @NAME is one of the script's texts
	do          func(p *player, args []string)
	check       func(p *player, args []string) bool
}

// verbs are all steps there are.
var verbs map[string]verb

func init() { // the steps look verbs up themselves
	verbs = map[string]verb{
		"size":   {"WIDTH HEIGHT", 2, 2, false, (*player).size, nil},
		"env":    {"NAME VALUE", 2, 2, false, (*player).setEnv, nil},
		"models": {"NAME...", 1, -1, false, (*player).models, nil},
		"start":  {"[ARGUMENT...]", 0, -1, false, (*player).start, nil},
		"shell":  {"[ARGUMENT...]", 0, -1, false, (*player).startInShell, nil},

		"answer":  {"TEXT...", 1, -1, true, (*player).answer, nil},
		"think":   {"THOUGHTS TEXT...", 2, -1, true, (*player).think, nil},
		"gate":    {"NAME TEXT...", 1, -1, true, (*player).gate, nil},
		"reached": {"NAME", 1, 1, false, (*player).reached, nil},
		"release": {"NAME TEXT...", 1, -1, true, (*player).release, nil},
		"fail":    {"STATUS [TYPE [MESSAGE]]", 1, 3, false, (*player).fail, nil},
		"limit":   {"SECONDS", 1, 1, false, (*player).limit, nil},

		"try":    {"SCOPE ACTION KEY [in PLACE] [as BYTES]", 3, 7, false, (*player).try, nil},
		"press":  {"KEY...", 1, -1, false, (*player).press, nil},
		"type":   {"TEXT", 1, 1, true, (*player).typed, nil},
		"say":    {"TEXT", 1, 1, true, (*player).say, nil},
		"paste":  {"TEXT", 1, 1, true, (*player).paste, nil},
		"resize": {"WIDTH HEIGHT", 2, 2, false, (*player).resize, nil},
		"rest":   {"", 0, 0, false, (*player).rest, nil},

		"steady":  {"PATTERN TEXT", 2, 2, false, (*player).steady, nil},
		"picture": {"NAME", 1, 1, false, (*player).picture, nil},

		"see":       {"TEXT", 1, 1, false, nil, (*player).sees},
		"gone":      {"TEXT", 1, 1, false, nil, (*player).seesNot},
		"times":     {"COUNT TEXT", 2, 2, false, nil, (*player).times},
		"row":       {"NUMBER TEXT", 2, 2, false, nil, (*player).row},
		"at":        {"ROW COLUMN TEXT", 3, 3, false, nil, (*player).at},
		"below":     {"TEXT TEXT", 2, 2, false, nil, (*player).below},
		"caret":     {"ROW COLUMN", 2, 2, false, nil, (*player).caret},
		"caretless": {"", 0, 0, false, nil, (*player).caretless},
		"draft":     {"TEXT", 1, 1, true, nil, (*player).draft},
		"edit":      {"TEXT", 1, 1, true, nil, (*player).edit},
		"queue":     {"[TEXT...]", 0, -1, false, nil, (*player).queue},
		"words":     {"[WORD...]", 0, -1, false, nil, (*player).words},
		"selected":  {"NUMBER", 1, 1, false, nil, (*player).selected},
		"state":     {"Ready|Busy|Error", 1, 1, false, nil, (*player).state},
		"asked":     {"NUMBER [TEXT]", 1, 2, true, nil, (*player).asked},
		"title":     {"TEXT", 1, 1, false, nil, (*player).title},
		"clipboard": {"TEXT", 1, 1, true, nil, (*player).clipboard},
		"mouse":     {"on|off", 1, 1, false, nil, (*player).mouse},
		"screen":    {"alternate|main", 1, 1, false, nil, (*player).whichScreen},
		"redrawn":   {"", 0, 0, false, nil, (*player).redrawn},
		"ends":      {"CODE", 1, 1, false, nil, (*player).ends},

		"never": {"TEXT", 1, 1, false, (*player).never, nil},
		"quiet": {"REQUESTS", 1, 1, false, (*player).quiet, nil},
	}
}
