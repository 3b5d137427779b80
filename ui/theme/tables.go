package theme

// sets holds the themes. A new one is a token table here and its line below.
var sets = []set{
	{name: Default, dark: ansi16, light: ansi16},
	{name: "mono", dark: mono, light: mono},
	{name: "ink", dark: inkDark, light: inkLight},
}

// ansi16 keeps to the terminal's palette and leaves out black, white and the
// bright greys, which vanish on one background or the other.
var ansi16 = tokens{
	"you": {fg: "6", attr: bold}, "agent": {fg: "5", attr: bold}, "reasoning": {attr: faint | italic},
	"tool": {fg: "4"}, "retry": {fg: "3"}, "error": {fg: "1", attr: bold}, "notice": {fg: "3"},
	"text": {}, "dim": {attr: faint}, "bold": {attr: bold}, "italic": {attr: italic}, "strike": {attr: strike},
	"selected": {attr: reverse}, "queuehead": {attr: bold}, "held": {fg: "3", attr: bold},
	"busy": {fg: "3", attr: bold}, "ready": {fg: "2", attr: bold}, "stopped": {fg: "1", attr: bold},
	"link": {fg: "4", attr: underline}, "code": {fg: "6"}, "codeblock": {}, "heading": {fg: "5", attr: bold},
	"quote": {attr: faint | italic}, "listmark": {fg: "5"}, "rule": {attr: faint},
	"tableborder": {attr: faint}, "tablehead": {attr: bold},
	"keyword": {fg: "5"}, "string": {fg: "2"}, "number": {fg: "6"}, "comment": {attr: faint | italic},
	"func": {fg: "4"}, "type": {fg: "3"}, "added": {fg: "2"}, "removed": {fg: "1"},
	"prompt": {fg: "6", attr: bold}, "placeholder": {attr: faint}, "chip": {fg: "6", attr: reverse},
	"cursor": {attr: reverse}, "border": {attr: faint}, "match": {fg: "6", attr: bold | underline}, "key": {attr: bold},
}

// mono has no colour at all, for NO_COLOR and for those who prefer it.
var mono = tokens{
	"you": {attr: bold}, "agent": {attr: bold}, "reasoning": {}, "tool": {}, "retry": {},
	"error": {attr: bold}, "notice": {},
	"text": {}, "dim": {}, "bold": {attr: bold}, "italic": {attr: underline}, "strike": {},
	"selected": {attr: reverse}, "queuehead": {attr: bold}, "held": {attr: bold},
	"busy": {attr: bold}, "ready": {attr: bold}, "stopped": {attr: bold},
	"link": {attr: underline}, "code": {attr: bold}, "codeblock": {}, "heading": {attr: bold | underline},
	"quote": {}, "listmark": {attr: bold}, "rule": {}, "tableborder": {}, "tablehead": {attr: bold},
	"keyword": {attr: bold}, "string": {}, "number": {}, "comment": {}, "func": {}, "type": {},
	"added": {attr: bold}, "removed": {attr: underline},
	"prompt": {attr: bold}, "placeholder": {}, "chip": {attr: reverse}, "cursor": {attr: reverse},
	"border": {}, "match": {attr: bold | underline}, "key": {attr: bold},
}

// inkDark and inkLight use the fixed part of the 256-colour palette (16 to
// 255), whose shades are the same everywhere.
var inkDark = tokens{
	"you": {fg: "80", attr: bold}, "agent": {fg: "183", attr: bold}, "reasoning": {fg: "246", attr: italic},
	"tool": {fg: "111"}, "retry": {fg: "215"}, "error": {fg: "210", attr: bold}, "notice": {fg: "222"},
	"text": {}, "dim": {fg: "246"}, "bold": {attr: bold}, "italic": {attr: italic}, "strike": {fg: "246", attr: strike},
	"selected": {fg: "231", bg: "60", attr: bold}, "queuehead": {fg: "231", attr: bold}, "held": {fg: "215", attr: bold},
	"busy": {fg: "222", attr: bold}, "ready": {fg: "114", attr: bold}, "stopped": {fg: "210", attr: bold},
	"link": {fg: "117", attr: underline}, "code": {fg: "158"}, "codeblock": {fg: "252"}, "heading": {fg: "183", attr: bold},
	"quote": {fg: "249", attr: italic}, "listmark": {fg: "183"}, "rule": {fg: "244"},
	"tableborder": {fg: "244"}, "tablehead": {attr: bold},
	"keyword": {fg: "183"}, "string": {fg: "150"}, "number": {fg: "216"}, "comment": {fg: "247", attr: italic},
	"func": {fg: "117"}, "type": {fg: "222"}, "added": {fg: "114"}, "removed": {fg: "210"},
	"prompt": {fg: "80", attr: bold}, "placeholder": {fg: "247"}, "chip": {fg: "231", bg: "24"},
	"cursor": {attr: reverse}, "border": {fg: "244"}, "match": {fg: "117", attr: bold | underline}, "key": {fg: "152", attr: bold},
}

var inkLight = tokens{
	"you": {fg: "24", attr: bold}, "agent": {fg: "90", attr: bold}, "reasoning": {fg: "240", attr: italic},
	"tool": {fg: "25"}, "retry": {fg: "94"}, "error": {fg: "124", attr: bold}, "notice": {fg: "94"},
	"text": {}, "dim": {fg: "240"}, "bold": {attr: bold}, "italic": {attr: italic}, "strike": {fg: "240", attr: strike},
	"selected": {fg: "16", bg: "189", attr: bold}, "queuehead": {fg: "16", attr: bold}, "held": {fg: "94", attr: bold},
	"busy": {fg: "94", attr: bold}, "ready": {fg: "22", attr: bold}, "stopped": {fg: "124", attr: bold},
	"link": {fg: "25", attr: underline}, "code": {fg: "23"}, "codeblock": {fg: "236"}, "heading": {fg: "90", attr: bold},
	"quote": {fg: "239", attr: italic}, "listmark": {fg: "90"}, "rule": {fg: "242"},
	"tableborder": {fg: "242"}, "tablehead": {attr: bold},
	"keyword": {fg: "90"}, "string": {fg: "22"}, "number": {fg: "94"}, "comment": {fg: "241", attr: italic},
	"func": {fg: "25"}, "type": {fg: "94"}, "added": {fg: "22"}, "removed": {fg: "124"},
	"prompt": {fg: "24", attr: bold}, "placeholder": {fg: "241"}, "chip": {fg: "16", bg: "153"},
	"cursor": {attr: reverse}, "border": {fg: "242"}, "match": {fg: "25", attr: bold | underline}, "key": {fg: "23", attr: bold},
}
