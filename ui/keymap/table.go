package keymap

// The actions.
const (
	Stop       Action = "stop"
	Interrupt  Action = "interrupt"
	Retry      Action = "retry"
	FocusNext  Action = "focus_next"
	FocusPrev  Action = "focus_prev"
	ScrollUp   Action = "scroll_up"
	ScrollDown Action = "scroll_down"
	Fold       Action = "fold"
	Help       Action = "help"
	Suspend    Action = "suspend"
	Redraw     Action = "redraw"
	Mouse      Action = "mouse"

	Send          Action = "send"
	HistoryPrev   Action = "history_prev"
	HistoryNext   Action = "history_next"
	HistorySearch Action = "history_search"
	EditLast      Action = "edit_last"
	Quit          Action = "quit"
	SaveRow       Action = "save_row"

	Newline        Action = "newline"
	ExternalEditor Action = "external_editor"
	OpenPaste      Action = "open_paste"
	Undo           Action = "undo"
	Redo           Action = "redo"
	KillToEnd      Action = "kill_to_end"
	KillToStart    Action = "kill_to_start"
	KillWord       Action = "kill_word"
	Yank           Action = "yank"
	Left           Action = "left"
	Right          Action = "right"
	WordLeft       Action = "word_left"
	WordRight      Action = "word_right"
	LineUp         Action = "line_up"
	LineDown       Action = "line_down"
	LineStart      Action = "line_start"
	LineEnd        Action = "line_end"
	TextStart      Action = "text_start"
	TextEnd        Action = "text_end"
	DeleteLeft     Action = "delete_left"
	DeleteRight    Action = "delete_right"

	QueueUp       Action = "queue_up"
	QueueDown     Action = "queue_down"
	QueueEdit     Action = "queue_edit"
	QueueRemove   Action = "queue_remove"
	QueueUndo     Action = "queue_undo"
	QueueMoveUp   Action = "queue_move_up"
	QueueMoveDown Action = "queue_move_down"
	QueuePlay     Action = "queue_play"
	QueueSendNow  Action = "queue_send_now"
	QueuePause    Action = "queue_pause"
	QueueClear    Action = "queue_clear"

	TranscriptUp     Action = "transcript_up"
	TranscriptDown   Action = "transcript_down"
	TranscriptTop    Action = "transcript_top"
	TranscriptBottom Action = "transcript_bottom"
	Search           Action = "search"
	SearchNext       Action = "search_next"
	SearchPrev       Action = "search_prev"
	MessageUp        Action = "message_up"
	MessageDown      Action = "message_down"
	MessageCopy      Action = "message_copy"
	CodeCopy         Action = "code_copy"
	MessageAgain     Action = "message_again"
	MessageFork      Action = "message_fork"

	PopupUp     Action = "popup_up"
	PopupDown   Action = "popup_down"
	PopupAccept Action = "popup_accept"
)

// table is the table. One row is one key binding: everything else (lookup,
// help, hints, docs/keys.md, the [keys] configuration) reads it from here.
var table = []Row{
	{Global, Stop, []string{"esc"}, "close what is open, else close the row editor, else stop the turn", "stop"},
	{Global, Interrupt, []string{"ctrl+c"}, "clear the draft, else stop the turn, else quit (press twice)", "clear"},
	{Global, Retry, []string{"ctrl+y"}, "retry now while a retry waits; retry the last unsuccessful turn when idle", "retry"},
	{Global, FocusNext, []string{"tab"}, "go on to composer, queue, transcript", "next"},
	{Global, FocusPrev, []string{"shift+tab"}, "go back to transcript, queue, composer", "back"},
	{Global, ScrollUp, []string{"pgup"}, "scroll the transcript a page up", "up"},
	{Global, ScrollDown, []string{"pgdown"}, "scroll the transcript a page down", "down"},
	{Global, Fold, []string{"ctrl+o"}, "fold or unfold reasoning, tools and retries", "fold"},
	{Global, Help, []string{"f1", "?"}, "show or hide this help", "help"},
	{Global, Suspend, []string{"ctrl+z"}, "suspend, back with fg", "suspend"},
	{Global, Redraw, []string{"ctrl+l"}, "redraw the screen", "redraw"},
	{Global, Mouse, []string{"f2", "alt+m"}, "let the wheel scroll, or give the mouse back to the terminal", "mouse"},

	{Composer, Send, []string{"enter"}, "send, or queue while busy; empty and idle: play the head of the queue", "send"},
	{Composer, HistoryPrev, []string{"up"}, "a line up; from the first line the previous prompt", "history"},
	{Composer, HistoryNext, []string{"down"}, "a line down; from the last line the next prompt", "history"},
	{Composer, HistorySearch, []string{"ctrl+r"}, "choose an earlier prompt, of former sessions too", "search"},
	{Composer, EditLast, []string{"alt+up"}, "edit the last queued row", "edit last"},
	{Composer, Quit, []string{"ctrl+d"}, "quit, when the composer is empty", "quit"},

	{Editor, SaveRow, []string{"enter"}, "save the row", "save"},

	{Text, Newline, []string{"ctrl+j", "alt+enter"}, "begin a new line; a backslash before enter does too", "newline"},
	{Text, ExternalEditor, []string{"ctrl+g"}, "edit in $VISUAL or $EDITOR", "editor"},
	{Text, OpenPaste, []string{"alt+o"}, "open the pasted piece at the cursor as text, undo folds it", "open"},
	{Text, Undo, []string{"ctrl+_"}, "undo the last edit, or what the queue lost after it", "undo"},
	{Text, Redo, []string{"alt+_"}, "redo", "redo"},
	{Text, KillToEnd, []string{"ctrl+k"}, "cut to the end of the line", "cut"},
	{Text, KillToStart, []string{"ctrl+u"}, "cut to the start of the line", "cut"},
	{Text, KillWord, []string{"ctrl+w"}, "cut the word to the left", "cut word"},
	{Text, Yank, []string{"alt+y"}, "put back what was cut", "paste"},
	{Text, Left, []string{"left"}, "a character to the left", "left"},
	{Text, Right, []string{"right"}, "a character to the right", "right"},
	{Text, WordLeft, []string{"ctrl+left", "alt+b"}, "a word to the left", "word left"},
	{Text, WordRight, []string{"ctrl+right", "alt+f"}, "a word to the right", "word right"},
	{Text, LineUp, []string{"up"}, "a line up", "up"},
	{Text, LineDown, []string{"down"}, "a line down", "down"},
	{Text, LineStart, []string{"home", "ctrl+a"}, "to the start of the line", "start"},
	{Text, LineEnd, []string{"end", "ctrl+e"}, "to the end of the line", "end"},
	{Text, TextStart, []string{"ctrl+home"}, "to the start of the text", "start"},
	{Text, TextEnd, []string{"ctrl+end"}, "to the end of the text", "end"},
	{Text, DeleteLeft, []string{"backspace", "ctrl+h"}, "delete the character to the left", "delete"},
	{Text, DeleteRight, []string{"delete"}, "delete the character to the right", "delete"},

	{Queue, QueueUp, []string{"up"}, "select the row above", "up"},
	{Queue, QueueDown, []string{"down"}, "select the row below", "down"},
	{Queue, QueueEdit, []string{"enter", "e"}, "edit the row in its place", "edit"},
	{Queue, QueueRemove, []string{"d", "delete"}, "remove the row", "remove"},
	{Queue, QueueUndo, []string{"u"}, "undo the last removal, clear or discarded edit", "undo"},
	{Queue, QueueMoveUp, []string{"alt+up", "K"}, "move the row up", "move up"},
	{Queue, QueueMoveDown, []string{"alt+down", "J"}, "move the row down", "move down"},
	{Queue, QueuePlay, []string{" "}, "play: start the head of the queue", "play"},
	{Queue, QueueSendNow, []string{"s"}, "send the row now, stopping the turn that runs", "send now"},
	{Queue, QueuePause, []string{"p"}, "pause the queue, or let it go on", "pause"},
	{Queue, QueueClear, []string{"c"}, "clear the queue", "clear"},

	{Transcript, TranscriptUp, []string{"up"}, "scroll a line up", "up"},
	{Transcript, TranscriptDown, []string{"down"}, "scroll a line down", "down"},
	{Transcript, TranscriptTop, []string{"home"}, "to the beginning", "top"},
	{Transcript, TranscriptBottom, []string{"end"}, "to the end, and follow it", "bottom"},
	{Transcript, Search, []string{"/", "ctrl+f"}, "search what was said; enter keeps the places, esc ends it", "search"},
	{Transcript, SearchNext, []string{"n"}, "the next place that was found", "next"},
	{Transcript, SearchPrev, []string{"N"}, "the place before", "before"},
	{Transcript, MessageUp, []string{"k"}, "choose the message above", "above"},
	{Transcript, MessageDown, []string{"j"}, "choose the message below", "below"},
	{Transcript, MessageCopy, []string{"y"}, "copy the chosen message, else the last answer", "copies"},
	{Transcript, CodeCopy, []string{"b"}, "copy its code, one block after another", "copies code"},
	{Transcript, MessageAgain, []string{"r"}, "send the prompt of the chosen message again; retry, if it is the last turn and came to nothing", "again"},
	{Transcript, MessageFork, []string{"f"}, "fork behind the chosen message", "forks"},

	{Popup, PopupUp, []string{"up"}, "the entry above", "up"},
	{Popup, PopupDown, []string{"down"}, "the entry below", "down"},
	{Popup, PopupAccept, []string{"tab"}, "take the entry", "take"},
}
