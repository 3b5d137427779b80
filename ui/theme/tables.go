package theme

// sets holds the themes. A new one is a token table here and its line below. A table is made when it is asked for: no start
// needs more than one.
var sets = []set{
	{name: Default, dark: ansi16, light: ansi16},
	{name: "dark", dark: inkDark, light: inkDark},
	{name: "light", dark: inkLight, light: inkLight},
	{name: "high-contrast", dark: starkDark, light: starkLight},
	{name: "mono", dark: mono, light: mono},
	{name: "ink", dark: inkDark, light: inkLight}, // "dark" or "light", as the background is
}

// ansi16 keeps to the terminal's palette and leaves out black, white and the
// bright greys, which vanish on one background or the other.
func ansi16() tokens {
	return tokens{
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
}

// mono has no colour at all, for NO_COLOR and for those who prefer it.
func mono() tokens {
	return tokens{
		"you": {attr: bold}, "agent": {attr: bold}, "reasoning": {}, "tool": {}, "retry": {},
		"error": {attr: bold}, "notice": {},
		"text": {}, "dim": {}, "bold": {attr: bold}, "italic": {attr: underline}, "strike": {attr: strike},
		"selected": {attr: reverse}, "queuehead": {attr: bold}, "held": {attr: bold},
		"busy": {attr: bold}, "ready": {attr: bold}, "stopped": {attr: bold},
		"link": {attr: underline}, "code": {attr: bold}, "codeblock": {}, "heading": {attr: bold | underline},
		"quote": {}, "listmark": {attr: bold}, "rule": {}, "tableborder": {}, "tablehead": {attr: bold},
		"keyword": {attr: bold}, "string": {}, "number": {}, "comment": {}, "func": {}, "type": {},
		"added": {attr: bold}, "removed": {attr: underline},
		"prompt": {attr: bold}, "placeholder": {}, "chip": {attr: reverse}, "cursor": {attr: reverse},
		"border": {}, "match": {attr: bold | underline}, "key": {attr: bold},
	}
}

// inkDark and inkLight use the fixed part of the 256-colour palette (16 to
// 255), whose shades are the same everywhere.
func inkDark() tokens {
	return tokens{
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
}

func inkLight() tokens {
	return tokens{
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
}

// starkDark and starkLight have seven times the contrast between text and background, no grey, and nothing faint or slanted.
func starkDark() tokens {
	return tokens{
		"you": {fg: "51", attr: bold}, "agent": {fg: "219", attr: bold}, "reasoning": {fg: "231"},
		"tool": {fg: "51"}, "retry": {fg: "226", attr: bold}, "error": {fg: "217", attr: bold | underline}, "notice": {fg: "226"},
		"text": {fg: "231"}, "dim": {fg: "231"}, "bold": {fg: "231", attr: bold}, "italic": {fg: "231", attr: underline}, "strike": {fg: "231", attr: strike},
		"selected": {fg: "16", bg: "231", attr: bold}, "queuehead": {fg: "231", attr: bold}, "held": {fg: "226", attr: bold},
		"busy": {fg: "226", attr: bold}, "ready": {fg: "46", attr: bold}, "stopped": {fg: "217", attr: bold},
		"link": {fg: "51", attr: underline}, "code": {fg: "46"}, "codeblock": {fg: "231"}, "heading": {fg: "219", attr: bold | underline},
		"quote": {fg: "231"}, "listmark": {fg: "219", attr: bold}, "rule": {fg: "231"},
		"tableborder": {fg: "231"}, "tablehead": {fg: "231", attr: bold},
		"keyword": {fg: "219", attr: bold}, "string": {fg: "46"}, "number": {fg: "226"}, "comment": {fg: "231"},
		"func": {fg: "51"}, "type": {fg: "226"}, "added": {fg: "46", attr: bold}, "removed": {fg: "217", attr: bold},
		"prompt": {fg: "51", attr: bold}, "placeholder": {fg: "231"}, "chip": {fg: "16", bg: "51"},
		"cursor": {attr: reverse}, "border": {fg: "231"}, "match": {fg: "16", bg: "226", attr: bold}, "key": {fg: "226", attr: bold},
	}
}

func starkLight() tokens {
	return tokens{
		"you": {fg: "18", attr: bold}, "agent": {fg: "53", attr: bold}, "reasoning": {fg: "16"},
		"tool": {fg: "18"}, "retry": {fg: "52", attr: bold}, "error": {fg: "88", attr: bold | underline}, "notice": {fg: "52"},
		"text": {fg: "16"}, "dim": {fg: "16"}, "bold": {fg: "16", attr: bold}, "italic": {fg: "16", attr: underline}, "strike": {fg: "16", attr: strike},
		"selected": {fg: "231", bg: "16", attr: bold}, "queuehead": {fg: "16", attr: bold}, "held": {fg: "52", attr: bold},
		"busy": {fg: "52", attr: bold}, "ready": {fg: "22", attr: bold}, "stopped": {fg: "88", attr: bold},
		"link": {fg: "18", attr: underline}, "code": {fg: "22"}, "codeblock": {fg: "16"}, "heading": {fg: "53", attr: bold | underline},
		"quote": {fg: "16"}, "listmark": {fg: "53", attr: bold}, "rule": {fg: "16"},
		"tableborder": {fg: "16"}, "tablehead": {fg: "16", attr: bold},
		"keyword": {fg: "53", attr: bold}, "string": {fg: "22"}, "number": {fg: "52"}, "comment": {fg: "16"},
		"func": {fg: "18"}, "type": {fg: "52"}, "added": {fg: "22", attr: bold}, "removed": {fg: "88", attr: bold},
		"prompt": {fg: "18", attr: bold}, "placeholder": {fg: "16"}, "chip": {fg: "231", bg: "18"},
		"cursor": {attr: reverse}, "border": {fg: "16"}, "match": {fg: "231", bg: "52", attr: bold}, "key": {fg: "52", attr: bold},
	}
}
