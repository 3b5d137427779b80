package main

import (
	"flag"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"os"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write the generated table into docs/limits.md")

const (
	limitsPage  = "docs/limits.md"
	limitsBegin = "<!-- limits: generated, go test . -update -->\n"
	limitsEnd   = "<!-- /limits -->\n"
)

// unit says how a constant's number is to be read.
type unit int

const (
	count unit = iota
	bytes
	span // a time.Duration
	cells
	factor
)

// limit is a row of docs/limits.md. at and test name a constant and the test that stands
// at it, each as folder.Name.
type limit struct {
	name, at string
	unit     unit
	happens  string
	test     string
}

var limits = []limit{
	{"requests of a step", "retrypolicy.TurnAttempts", count, "the turn is given up; `retry.attempts` changes it", "agentclient.TestExhaustion"},
	{"most that `retry.attempts` may be", "model/config.MaxAttempts", count, "the configuration is refused", "model/config.TestAttemptsAtTheirLimits"},
	{"first wait", "retrypolicy.DefaultBase", span, "doubled for each further retry; `retry.base`", "retrypolicy.TestDelay"},
	{"longest wait by doubling", "retrypolicy.DefaultCap", span, "later waits are as long; `retry.cap`", "retrypolicy.TestDelay"},
	{"first wait, rate-limited or overloaded", "retrypolicy.DefaultLimitedBase", span, "doubled for each further retry; in proportion to `retry.base`", "retrypolicy.TestDelay"},
	{"longest of those by doubling", "retrypolicy.DefaultLimitedCap", span, "later waits are as long; in proportion to `retry.cap`", "retrypolicy.TestDelay"},
	{"least jitter", "retrypolicy.jitterLow", factor, "every wait of ours is multiplied by at least this", "retrypolicy.TestDelayNeverLeavesItsRange"},
	{"span of the jitter", "retrypolicy.jitterSpan", factor, "… and at most this much more", "retrypolicy.TestDelayNeverLeavesItsRange"},
	{"longest wait a server may ask for", "retrypolicy.DefaultMaxWait", span, "the turn is given up at once and says until when; `retry.max_wait`", "retrypolicy.TestTooLong"},
	{"longest wait that is told apart", "retrypolicy.Forever", span, "larger numbers count as this", "retrypolicy.TestParseHints"},
	{"depth searched for a wait", "retrypolicy.bodyDepth", count, "deeper parts of an error's body are not looked at", ""},
	{"longest `retry.base`", "model/config.maxBackoff", span, "the configuration is refused", ""},
	{"longest `retry.cap`, `retry.max_wait` and `timeouts`", "model/config.day", span, "the configuration is refused", "model/config.TestMistakesOfTheFile"},
	{"look at the clock in a wait", "agentclient.clockCheck", span, "how late a wait may end after the machine slept", "agentclient.TestClockJumps"},
	{"answer to a stop", "model/session.StopWait", span, "the turn counts as stopped without the agent's word", "model/engine.TestStopTimesOut"},
	{"list of models at the start", "ui/cli.listWait", span, "the program starts; the first turn asks again", ""},

	{"rows of a queue", "queue.MaxRows", count, "one more is refused and its text stays in the composer; a give-up adds no row", "model/session.TestLimitOfRows"},
	{"text of a row that waits", "queue.MaxBytes", bytes, "it is refused and stays where it is", "queue.TestRowTextRules"},
	{"prompt that is sent at once", "model/session.MaxPrompt", bytes, "it is refused and stays in the composer", "model/session.TestLimitOfPrompt"},
	{"prompts of `baton run`", "ui/cli.maxPrompts", count, "exit code 2 before anything is sent", "ui/cli.TestRunAsManyAsFit"},
	{"file or standard input that `baton run` reads", "ui/cli.maxInput", bytes, "exit code 2 before anything is sent", "ui/cli.TestRunInputLimit"},
	{"silence on standard input beside `-p`", "ui/cli.inputWait", span, "`baton run` says that it waits for its end", ""},
	{"end of a run that was told twice", "ui/cli.againWithin", span, "it ends without waiting for who reads its answers", ""},
	{"request to a chat from outside", "model/outside.MaxRequest", bytes, "it is refused", "model/outside.TestLimitOfRequests"},
	{"reply to it", "model/outside.MaxReply", bytes, "`baton queue` ends with an error", "model/outside.TestLimitOfReplies"},
	{"session that is locked, and whose holder cannot be reached", "ui/cli.lockedFor", span, "until then `baton queue` asks again; then it says who has it", "ui/cli.TestQueueWaitsForALock"},
	{"rows that a shell completes", "ui/cli.rowsWithin", span, "of a chat that has not answered by then, none are offered", ""},
	{"callers at once", "model/outside.MaxCallers", count, "one more is told to try again", "model/outside.TestLimitOfCallers"},
	{"files of a prompt from outside", "model/outside.MaxFiles", count, "it is refused", "model/outside.TestCheck"},
	{"time to say what is wanted", "model/outside.RequestTime", span, "the connection is closed", ""},
	{"time until a chat begins with it", "model/outside.TakeTime", span, "it is never done, and the caller is told so", "model/outside.TestGivenUpIsNeverDone"},
	{"time until it answers", "model/outside.ReplyTime", span, "`baton queue` says that it does not know", ""},
	{"numbers of rows that have just changed", "model/outside.renumbered", span, "a row has to be named by its id", "model/outside.TestNumbers"},
	{"conversation in one request", "model/engine.MaxContext", bytes, "the turn fails before anything is sent, saying what to do", "model/engine.TestTooLongToSend"},
	{"text that is looked for in the transcript", "model.maxFinding", bytes, "more is not taken", "model.TestLimitOfSearches"},
	{"text for the terminal's own clipboard", "model.maxOSC52", bytes, "a longer one needs a clipboard's tool, else it goes to a file that is named", "model.TestLongCopies"},
	{"older conversation kept between requests", "model/engine.maxKept", bytes, "a longer one is read again for the next", "model/engine.TestOlderPartOfRequests"},
	{"attachment", "model/engine.MaxAttachment", bytes, "it is refused where it is attached; one that has grown since holds its row, saying so", ""},
	{"beginning of a file that is looked at before it is attached", "model/engine.sniffed", bytes, "the rest is looked at when its turn comes", "model/engine.TestLookAtTheBeginning"},

	{"error body read", "agentclient/wire.MaxErrorBody", bytes, "the rest is not read", "agentclient/wire.TestLine"},
	{"time for an error body", "agentclient/wire.errorBodyTime", span, "the status says enough", ""},
	{"line or event of a stream", "agentclient/wire.MaxEvent", bytes, "the attempt fails as malformed", "agentclient/wire.TestEventLimit"},
	{"text of an answer, reasoning included", "agentclient/wire.MaxAnswer", bytes, "the turn fails as malformed, without a retry", "agentclient/wire.TestAnswerLimit"},
	{"header fields of an answer", "agentclient/wire.maxHeaderBytes", bytes, "the attempt fails", "agentclient/wire.TestAnswers"},
	{"message of an error", "agentclient/wire.maxMessage", bytes, "the rest is cut off", ""},
	{"request id", "agentclient/wire.maxRequestID", bytes, "the rest is cut off", ""},
	{"answer with protocol anthropic, in tokens", "agentclient/anthropic.DefaultMaxTokens", count, "it is cut; `max_tokens` changes it", "agentclient/anthropic.TestContract"},
	{"shortest secret that is hidden", "agentclient/wire.minSecret", bytes, "shorter values are words and stay", "agentclient/wire.TestRedact"},
	{"list of models", "agentclient/wire.maxModels", bytes, "it is refused", "agentclient/wire.TestModels"},
	{"rest of a stream behind its finish reason", "agentclient/wire.afterFinish", span, "the answer counts as whole", "agentclient/wire.TestTheEpilogueIsShort"},
	{"error row, next step included", "agentclient.CauseCells", cells, "the message is cut with …", "agentclient.FuzzCauseIsOneShortLine"},
	{"code or request id of an error", "agentclient.codeCells", cells, "it is cut with …", ""},

	{"paste as plain text", "ui/composer.PasteBytes", bytes, "a longer one becomes a chip", "ui/composer.TestPasteLimits"},
	{"… and in lines", "ui/composer.PasteLines", count, "a longer one becomes a chip", "ui/composer.TestPasteLimits"},
	{"chip that is opened as text", "ui/composer.OpenBytes", bytes, "a larger one stays a chip; an external editor opens it", "ui/composer.TestOpenChipLimit"},
	{"undo and redo steps", "ui/composer.UndoSteps", count, "the oldest go", "ui/composer.TestUndoIsBounded"},
	{"… and their size", "ui/composer.UndoBytes", bytes, "the oldest go; the newest always stays", "ui/composer.TestUndoIsBounded"},
	{"deletions undone at once", "ui/composer.stepUnits", count, "a new step begins", ""},
	{"character the cursor moves by", "ui/composer.maxUnit", bytes, "a longer cluster is divided", "ui/composer.TestEndlessCluster"},
	{"prompt history", "ui/composer.HistoryEntries", count, "the oldest go", "ui/composer.TestHistoryIsBounded"},
	{"… and its size", "ui/composer.HistoryBytes", bytes, "the oldest go; the newest always stays", "ui/composer.TestHistoryIsBounded"},
	{"draft that is kept", "model/keepsake.MaxDraft", bytes, "it is said that it would not survive a crash; the last one that fitted stays", "model/keepsake.TestLimitOfDrafts"},
	{"prompts kept for later sessions", "model/keepsake.MaxPrompts", count, "the oldest go", "model/keepsake.TestLimitsOfPrompts"},
	{"… and their size", "model/keepsake.MaxPromptsBytes", bytes, "the oldest go", "model/keepsake.TestLimitsOfPrompts"},
	{"prompt that is kept for later sessions", "model/keepsake.MaxPrompt", bytes, "a longer one is not", "model/keepsake.TestLimitsOfPrompts"},
	{"pause before a draft is written down", "model.draftPause", span, "changes within it are written together", "model.TestDraftsArePaced"},
	{"`@` before the cursor, in characters", "model.maxMention", count, "farther away it offers no files", "model.TestLimitOfMentions"},
	{"entries of folders looked at for `@`", "model.maxWalked", count, "the rest is not offered, and that is said", "model.TestLimitOfWalks"},
	{"… and the time for it", "model.walkWait", span, "what was found is offered", "model.TestWalk"},
	{"list of files is good for", "model.walkFresh", span, "then the next `@` looks again", ""},
	{"paste that is looked at for dropped paths", "model.maxDropped", bytes, "a longer one is text", "model.TestDroppedPaths"},
	{"… and files in it", "model.maxDroppedFiles", count, "more are text", "model.TestDroppedPaths"},
	{"image from the clipboard", "model.maxPicture", bytes, "it is not attached", "model.TestLimitOfPictures"},
	{"… and the time for it", "model.pictureWait", span, "it is said that there was no answer", "model.TestClipboardImage"},
	{"file for an editor that was left behind", "model/keepsake.ScratchKept", span, "it is removed", "model/keepsake.TestPrivateFiles"},
	{"row text looked at for its label", "ui/queuelist.maxLabel", bytes, "the rest cannot be on a screen", ""},
	{"silence that is not shown", "ui/status.SilentFrom", span, "the indicator counts it", "ui/status.TestSilenceIsShownLate"},

	{"combining marks on a letter", "ui/sanitize.MaxMarks", count, "further ones are left out", "ui/sanitize.TestMarksOnOneLetter"},
	{"code points of a cluster", "ui/sanitize.MaxCluster", count, "a new cluster begins", "ui/sanitize.TestEndlessClusters"},
	{"block of markdown", "ui/markdown.MaxBlock", bytes, "it is shown as plain text", "ui/markdown.TestLimits"},
	{"depth of quotes and lists", "ui/markdown.MaxDepth", count, "the block is shown as plain text", "ui/markdown.TestLimits"},
	{"emphasis delimiters; brackets and backticks", "ui/markdown.MaxDelimiters", count, "the block is shown as plain text", "ui/markdown.TestLimits"},
	{"cells of a table", "ui/markdown.MaxCells", count, "the block is shown as plain text", "ui/markdown.TestLimits"},
	{"depths of all lines together", "ui/markdown.maxDepths", count, "the block is shown as plain text", "ui/markdown.TestLimits"},
	{"lines of a text that stay laid out", "ui/markdown.keptLines", count, "those laid out longest ago are laid out again when seen again", "ui/markdown.TestKeptLines"},
	{"memory for what was laid out and is out of view", "ui/chat.keptBytes", bytes, "what was not seen lately is laid out again when seen again", "ui/chat.TestMessagesOutOfViewAreSmall"},
	{"… that is kept beyond it", "ui/chat.keptFrames", count, "frames later it is let go", "ui/chat.TestLettingGoIsNotSeen"},

	{"recording of text that streams", "model/session.PartialEvery", span, "at most once in this time", "model/engine.TestTextIsRecordedWithinAboutASecond"},
	{"fsync after a write", "model/journal.FsyncDelay", span, "what a power loss may take", "model/journal.TestGroupCommit"},
	{"log between two snapshots", "model/engine.SnapshotEvery", bytes, "the next one is written as soon as nothing runs", "model/engine.TestSnapshotEvery"},
	{"text that a snapshot carries itself", "model/session.OwnText", bytes, "of a longer one it names the line that has it", "model/session.TestLimitOfSnapshotTexts"},
	{"unsaved lines tried again", "model/engine.LogRetryEvery", span, "and with each new batch", "model/engine.TestFullDisk"},
	{"line of a journal", "model/journal.MaxLine", bytes, "a longer one is refused; one that is read is damage", "model/journal.TestLongestLine"},
	{"depth of a line of a journal", "model/journal.maxDepth", count, "deeper data is refused", "model/journal.TestDeepestData"},
	{"header of a journal", "model/journal.maxHeader", bytes, "it is refused; one that is read is damage", "model/journal.TestHeaderTooLong"},
	{"name of a session", "model/journal.maxID", bytes, "it is refused", "model/journal.TestValidID"},
	{"torn tails kept of a session", "model/journal.maxTorn", count, "the next one stays in the file, set apart by a line end", "model/journal.TestTornTailThatCannotMove"},

	{"title of a session", "model/catalog.titleCells", cells, "the rest is cut off with …", "model/catalog.TestTitle"},
	{"search for a session's first prompt, from its beginning", "model/catalog.headMoreBytes", bytes, "a later prompt or a row gives the title", "model/catalog.TestListReadsBothEnds"},
	{"excerpt around what was found", "model/catalog.excerptCells", cells, "the rest is cut off with …", "model/catalog.TestExcerpt"},
	{"line kept in memory between lines of a search", "model/catalog.keptBytes", bytes, "a longer one is let go at once", "model/catalog.TestLongLinesAreLetGo"},
	{"answer that an export parses in one piece", "model/catalog.parsedBytes", bytes, "a longer one is parsed in parts for a page, and stands between fences in markdown", "model/catalog.TestHeavyTextsArePlain"},
	{"… its emphasis, and its brackets, backticks and bars", "model/catalog.parsedDelimiters", count, "it is plain text", "model/catalog.TestHeavyTextsArePlain"},
	{"… how deep its quotes and lists nest", "model/catalog.parsedDepth", count, "it is plain text", "model/catalog.TestHeavyTextsArePlain"},
	{"text typed into a list to choose from", "ui/choose.MaxTyped", bytes, "what goes beyond it is left out", "ui/choose.TestTyping"},
	{"days of `sessions.keep`", "model/config.maxKeepDays", count, "the configuration is refused", "model/config.TestKeepAtItsLimits"},

	{"configuration file", "model/config.MaxFileBytes", bytes, "exit code 78", "model/config.TestFileThatCannotBeRead"},
	{"folders upwards in search of a project's file", "model/config.maxFolders", count, "those further up are not looked at", ""},
	{"record of a trusted file", "model/config.maxTrust", bytes, "it counts for nothing", ""},
	{"mistakes that are reported", "model/config.MaxProblems", count, "the rest is not", "model/config.TestAllMistakesAreReportedInOrder"},
	{"`context_window`", "model/config.MaxWindow", count, "the configuration is refused", ""},
	{"`max_tokens`", "model/config.MaxMaxTokens", count, "the configuration is refused", ""},
	{"key", "model/config.MaxKeyBytes", bytes, "it is refused", "model/config.TestMalformedKeysAreRefusedUnshown"},
	{"key with white space around it", "model/config.maxKeySource", bytes, "it is refused", "model/config.TestKeyFile"},
	{"`api_key_command`", "model/config.KeyCommandTimeout", span, "it is ended and the key is missing", "model/config.TestKeyProgramIsLeftAfterTenSeconds"},

	{"file of the log", "model/logbook.MaxFile", bytes, "it is turned over", "model/logbook.TestFilesAreTurnedOver"},
	{"files of the log", "model/logbook.Files", count, "the oldest goes", "model/logbook.TestFilesAreTurnedOver"},
	{"records that wait for the disk", "model/logbook.maxPending", count, "further ones are counted and let go", "model/logbook.TestNobodyWaits"},
	{"value in the log", "model/logbook.maxValue", bytes, "the rest is cut off with …", "model/logbook.TestTextsAreMadeHarmless"},
	{"value in the log that is looked at", "model/logbook.maxLooked", bytes, "a longer one is left out", "model/logbook.TestTextsAreMadeHarmless"},
	{"one write to the log", "model/logbook.maxWrite", bytes, "whole lines of it, the rest follows", "model/logbook.TestFilesAreTurnedOver"},
	{"record until it is written", "model/logbook.gather", span, "not sooner, but at the program's end", "model/logbook.TestRecordsAreKept"},
	{"end of the log", "model/logbook.closeWait", span, "what is not written by then is let go", ""},
	{"answer to `baton doctor`", "ui/cli.reachWait", span, "the server is said not to answer", "ui/cli.TestDoctorWaitsOnlySoLong"},
	{"clocks that `baton doctor` takes to agree", "ui/cli.skewAllowed", span, "a warning", "ui/cli.TestDoctorReachesTheServer"},
	{"sessions whose locks `baton doctor` looks at", "ui/cli.lookedAt", count, "older ones are not", ""},

	{"faults armed at once", "agentclient/sandbox.MaxArmed", count, "the list is refused, nothing is armed", "agentclient/sandbox.TestParseFaultsRefuses"},
	{"file of faults", "agentclient/sandbox.MaxFaultFile", bytes, "exit code 2", "agentclient/sandbox.TestReadFaults"},
	{"prompts with faults of their own that are remembered", "agentclient/sandbox.MaxScripts", count, "the one met longest ago begins its list anew", "agentclient/sandbox.TestScriptsAreBounded"},
	{"tokens before a fault", "agentclient/sandbox.maxTokens", count, "the list is refused, nothing is armed", "agentclient/sandbox.TestParseFaultsRefuses"},
	{"seconds of a fault", "agentclient/sandbox.MaxSeconds", count, "the list is refused, nothing is armed", "agentclient/sandbox.TestParseFaultsRefuses"},
	{"request to the sandbox", "agentclient/sandbox.maxRequest", bytes, "it is refused", ""},
	{"prompt the sandbox repeats", "agentclient/sandbox.quotedBytes", bytes, "the rest is cut with …", ""},
	{"ordinary answer of the sandbox", "agentclient/sandbox.longest", span, "it comes faster", "agentclient/sandbox.TestPace"},

	{"time between frames", "ui/term.frameTime", span, "not less, but a key is drawn at once", "ui/term.TestFramesArePaced"},
	{"bytes a second of frames", "ui/term.byteBudget", bytes, "frames come more rarely", "ui/term.TestCostlyFramesAreRarer"},
	{"… on a slow line", "ui/term.slowFrame", span, "not more", "ui/term.TestCostlyFramesAreRarer"},
	{"one write to the terminal", "ui/term.piece", bytes, "the rest follows, unless the program ends", "ui/term.TestWriterAbort"},
	{"lone ESC", "ui/term.escWait", span, "it is the key esc", "ui/term.TestDecoderPending"},
	{"sequence cut in two", "ui/term.seqWait", span, "what came counts as keys", "ui/term.TestDecoderPending"},
	{"paste without its end", "ui/term.pasteWait", span, "what came is delivered", "ui/term.TestDecoderPending"},
	{"paste delivered at once", "ui/term.maxPaste", bytes, "a longer one comes in parts", "ui/term.TestDecoderPaste"},
	{"control sequence", "ui/term.maxParams", bytes, "the whole of it is swallowed", "ui/term.TestDecoderKeys"},
	{"… and a number in it", "ui/term.maxNumber", count, "larger ones count as this", ""},
	{"characters of the window's title or a notification", "ui/term.maxPlain", count, "the rest is cut off", "ui/term.TestPlainText"},
	{"line about a crash", "ui/term.maxCrashLine", bytes, "the rest is cut off; the file has it", "ui/term.TestCrashReport"},
	{"first frame on a slow terminal", "ui/term.firstWait", span, "the program's first commands begin without it", "ui/term.TestCommandsWaitForTheFirstFrame"},
	{"end with a slow terminal", "ui/term.leaveWait", span, "its output is discarded and it is given back", "ui/term.TestStalledTerminal"},
	{"end after a signal", "ui/term.grace", span, "the program ends without the model's answer", "ui/term.TestEnds"},
	{"Enter after a settlement", "model.playGuard", span, "earlier on an empty composer, it plays nothing", ""},
	{"Enter held down", "model.repeatGuard", span, "sooner on an empty composer, it plays nothing", ""},
	{"second ctrl+c", "model.quitWithin", span, "later, it asks again", ""},
	{"list of models for a completion", "model.modelsWait", span, "it is said that there is none", "model.TestNoListOfModels"},
	{"… is good for", "model.modelsFresh", span, "then it is asked for again", "model.TestListOfModelsIsKept"},
	{"… is not asked for again after a failure", "model.modelsRest", span, "until then what is known is offered", "model.TestNoListOfModels"},
	{"models offered by a completion", "model.maxModelNames", count, "the rest is left out", "model.TestNamesFromOutside"},
	{"name of a model that is offered", "model.maxModelName", bytes, "a longer one is left out", "model.TestNamesFromOutside"},
	{"text that is completed", "model.maxCompleted", bytes, "a longer one is not", "model.TestLongestCompletion"},
	{"lines of the composer", "model.composerLines", count, "it scrolls", ""},
}

// consts finds the module's constants by folder.Name.
type consts map[string]found

type found struct {
	folder, file string
	value        ast.Expr
	imports      map[string]string // name in the file → folder, of this module's packages
}

func allConsts(t *testing.T) consts {
	all := consts{}
	for _, s := range sources(t) {
		if s.test {
			continue
		}
		imports := map[string]string{}
		for _, imp := range s.imports() {
			if rel, ours := strings.CutPrefix(imp, "baton/"); ours {
				imports[path.Base(rel)] = rel
			}
		}
		for _, d := range s.tree.Decls {
			group, ok := d.(*ast.GenDecl)
			if !ok || group.Tok != token.CONST {
				continue
			}
			for _, spec := range group.Specs {
				v := spec.(*ast.ValueSpec)
				for i, value := range v.Values {
					all[s.pkg+"."+v.Names[i].Name] = found{s.pkg, s.file, value, imports}
				}
			}
		}
	}
	return all
}

// number evaluates a constant from its source, so that a limit need not be exported to
// be documented. It knows what limits are written with: numbers, operators, lengths of
// time and other constants.
func (c consts) number(name string) (constant.Value, error) {
	f, ok := c[name]
	if !ok {
		return nil, fmt.Errorf("there is no constant %s", name)
	}
	return c.eval(f, f.value)
}

var lengths = map[string]time.Duration{
	"Nanosecond": time.Nanosecond, "Microsecond": time.Microsecond, "Millisecond": time.Millisecond,
	"Second": time.Second, "Minute": time.Minute, "Hour": time.Hour,
}

func (c consts) eval(f found, e ast.Expr) (constant.Value, error) {
	switch e := e.(type) {
	case *ast.BasicLit:
		return constant.MakeFromLiteral(e.Value, e.Kind, 0), nil
	case *ast.ParenExpr:
		return c.eval(f, e.X)
	case *ast.Ident:
		return c.number(f.folder + "." + e.Name)
	case *ast.SelectorExpr:
		x, _ := e.X.(*ast.Ident)
		if d, ok := lengths[e.Sel.Name]; ok && x != nil && x.Name == "time" {
			return constant.MakeInt64(int64(d)), nil
		}
		if x != nil && f.imports[x.Name] != "" {
			return c.number(f.imports[x.Name] + "." + e.Sel.Name)
		}
	case *ast.BinaryExpr:
		return c.binary(f, e)
	}
	return nil, fmt.Errorf("a constant in %s is written in a way this test cannot read", f.file)
}

func (c consts) binary(f found, e *ast.BinaryExpr) (constant.Value, error) {
	x, err := c.eval(f, e.X)
	if err != nil {
		return nil, err
	}
	y, err := c.eval(f, e.Y)
	if err != nil {
		return nil, err
	}
	switch e.Op {
	case token.SHL, token.SHR:
		n, _ := constant.Uint64Val(y)
		return constant.Shift(x, e.Op, uint(n)), nil
	case token.QUO:
		if x.Kind() == constant.Int && y.Kind() == constant.Int {
			return constant.BinaryOp(x, token.QUO_ASSIGN, y), nil // of whole numbers
		}
	}
	return constant.BinaryOp(x, e.Op, y), nil
}

func (u unit) format(v constant.Value) string {
	n, _ := constant.Int64Val(constant.ToInt(v))
	switch u {
	case bytes:
		return thousands(n) + " bytes" + binary(n)
	case span:
		return length(time.Duration(n))
	case cells:
		return thousands(n) + " cells"
	case factor:
		return v.String()
	}
	return thousands(n)
}

func binary(n int64) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf(" (%d MiB)", n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf(" (%d KiB)", n>>10)
	}
	return ""
}

func length(d time.Duration) string {
	switch {
	case d >= 365*24*time.Hour:
		return fmt.Sprintf("%d years", d/(365*24*time.Hour))
	case d >= time.Hour && d%time.Hour == 0:
		return fmt.Sprintf("%d h", d/time.Hour)
	case d >= time.Second && d%time.Second == 0:
		return fmt.Sprintf("%d s", d/time.Second)
	case d < time.Second:
		return strconv.FormatFloat(float64(d)/float64(time.Millisecond), 'g', 3, 64) + " ms"
	}
	return strconv.FormatFloat(d.Seconds(), 'g', 3, 64) + " s"
}

func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func limitsTable(t *testing.T) string {
	all := allConsts(t)
	var b strings.Builder
	b.WriteString("| what | limit | at the limit | constant | tested by |\n|---|---|---|---|---|\n")
	for _, l := range limits {
		v, err := all.number(l.at)
		if err != nil {
			t.Errorf("limit %q: %v", l.name, err)
			continue
		}
		file := all[l.at].file
		_, test, _ := strings.Cut(l.test, ".")
		fmt.Fprintf(&b, "| %s | %s | %s | [`%s`](../%s) | %s |\n", l.name, l.unit.format(v), l.happens, l.at, file, test)
	}
	return b.String()
}

// TestLimitsPage keeps docs/limits.md equal to the constants.
func TestLimitsPage(t *testing.T) {
	raw, err := os.ReadFile(limitsPage)
	if err != nil {
		t.Fatal(err)
	}
	page := strings.ReplaceAll(string(raw), "\r\n", "\n")
	before, rest, ok := strings.Cut(page, limitsBegin)
	old, after, ok2 := strings.Cut(rest, limitsEnd)
	if !ok || !ok2 {
		t.Fatalf("%s lost its markers", limitsPage)
	}
	fresh := limitsTable(t)
	switch {
	case old == fresh || t.Failed():
	case !*update:
		t.Errorf("%s is stale: run go test . -update", limitsPage)
	default:
		if err := os.WriteFile(limitsPage, []byte(before+limitsBegin+fresh+limitsEnd+after), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

var limitName = regexp.MustCompile(`^(Max|max)[A-Z]`)

// TestEveryLimitIsListed: a constant that is called a maximum has its row.
func TestEveryLimitIsListed(t *testing.T) {
	listed := map[string]bool{}
	for _, l := range limits {
		listed[l.at] = true
	}
	for name, f := range allConsts(t) {
		if _, short, _ := strings.Cut(name, "."); limitName.MatchString(short) && !listed[name] && !matches(forTests, f.folder) {
			t.Errorf("%s: %s is a limit without a row in limits_test.go", f.file, name)
		}
	}
}

// TestLimitsNameTheirTests: what the table says is tested is tested there.
func TestLimitsNameTheirTests(t *testing.T) {
	tests := map[string]bool{}
	for _, s := range sources(t) {
		for _, d := range s.tree.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && s.test && f.Recv == nil {
				tests[s.pkg+"."+f.Name.Name] = true
			}
		}
	}
	for _, l := range limits {
		if l.test != "" && !tests[l.test] {
			t.Errorf("limit %q names the test %s, and there is none", l.name, l.test)
		}
	}
}
