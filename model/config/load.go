package config

import (
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Load reads the layers without that of a project, weakest first: defaults, the user
// file (see Path), the environment, flags. readFile is ReadFile or a stand-in; a file
// that does not exist is no error unless the person named it. home is the home
// directory, "" when there is none. The error is always a Problems.
func Load(env func(string) string, home string, f Flags, readFile func(string) ([]byte, error), known Known) (Config, error) {
	return LoadWith(Project{}, env, home, f, readFile, known)
}

// LoadWith is Load with a project's file between the user file and the environment. The
// caller has made sure that the person trusts it (see Trust).
func LoadWith(p Project, env func(string) string, home string, f Flags, readFile func(string) ([]byte, error), known Known) (Config, error) {
	l := &loader{env: env, home: home, flags: f, known: known, cfg: defaults()}
	l.cfg.File = Path(env, home, f)
	l.readUserFile(readFile)
	l.readProject(p)
	l.readEnvironment()
	l.cfg.Fault = f.Fault
	if f.Fault != "" {
		l.cfg.Sources["fault"] = Origin{Layer: LayerFlag, Name: "--fault"}
	}
	if f.Plain {
		l.cfg.UI.Plain = true
		l.cfg.Sources[plainKey] = Origin{Layer: LayerFlag, Name: "--plain"}
	}
	if f.Debug {
		l.cfg.Debug = true
		l.cfg.Sources["debug"] = Origin{Layer: LayerFlag, Name: "--debug"}
	}
	l.stateDir()
	l.checkTogether()
	l.choose()
	if len(l.problems) > 0 {
		return Config{}, l.inFileOrder()
	}
	return l.cfg, nil
}

// Path returns the file a person configures: --config, $BATON_CONFIG,
// $XDG_CONFIG_HOME/baton/config.toml (when absolute, per the XDG base directory
// specification), or ~/.config/baton/config.toml; "" when there is no home.
func Path(env func(string) string, home string, f Flags) string {
	switch xdg := env("XDG_CONFIG_HOME"); {
	case f.ConfigFile != "":
		return f.ConfigFile
	case env("BATON_CONFIG") != "":
		return env("BATON_CONFIG")
	case filepath.IsAbs(xdg):
		return filepath.Join(xdg, "baton", "config.toml")
	case home != "":
		return filepath.Join(home, ".config", "baton", "config.toml")
	}
	return ""
}

// loader holds what Load has so far.
type loader struct {
	env   func(string) string
	home  string
	flags Flags
	known Known

	layer    Layer  // of the file that is being read: LayerFile or LayerProject
	file     string // its path
	marks    *marks // of that file, nil without one
	cfg      Config
	problems Problems
}

func (l *loader) problem(e Error) { l.problems = append(l.problems, &e) }

// inFileOrder sorts the problems by where they stand: the user file, the project's, and
// what is in no file as it was met. It returns the first MaxProblems.
func (l *loader) inFileOrder() Problems {
	rank := func(e *Error) int {
		return slices.Index([]string{l.cfg.File, l.cfg.Project, ""}, e.File)
	}
	slices.SortStableFunc(l.problems, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return l.problems[:min(len(l.problems), MaxProblems)]
}

// problemAt reports something wrong with a key where o set it. msg reads after the
// name: of the key in a file, else of the variable or flag.
func (l *loader) problemAt(o Origin, name, msg, next string) {
	e := Error{Key: name, Msg: name + " " + msg, Next: next}
	switch o.Layer {
	case LayerFile, LayerProject:
		e.File, e.Line, e.Column = o.Name, o.Line, o.Column
	case LayerEnv, LayerFlag:
		e.Key, e.Msg = o.Name, o.Name+" "+msg
	}
	l.problem(e)
}

// variableOf is the variable that sets a key outside agents and keys:
// retry.max_wait is $BATON_RETRY_MAX_WAIT. The one for plain output is short, since a
// person sets it for all they run.
func variableOf(name string) string {
	if name == plainKey {
		return "BATON_PLAIN"
	}
	return "BATON_" + strings.ToUpper(strings.ReplaceAll(name, ".", "_"))
}

func (l *loader) readEnvironment() {
	for _, k := range keys {
		name := variableOf(k.name)
		value := l.env(name)
		if value == "" {
			continue
		}
		o := Origin{Layer: LayerEnv, Name: "$" + name}
		if msg := k.set(&l.cfg, k.parse(value)); msg != "" {
			l.problemAt(o, k.name, msg, "")
			continue
		}
		l.cfg.Sources[k.name] = o
	}
}

// stateDir makes the directory absolute, or finds the default one.
func (l *loader) stateDir() {
	xdg := l.env("XDG_STATE_HOME")
	switch {
	case l.cfg.StateDir != "":
		// Relative to the file if the file says it, else to the working directory.
		dir := l.cfg.StateDir
		if l.cfg.Sources["state_dir"].Layer == LayerFile {
			dir = l.absolute(dir)
		}
		if abs, err := filepath.Abs(l.expand(dir)); err == nil {
			l.cfg.StateDir = abs
			return
		}
	case filepath.IsAbs(xdg):
		l.cfg.StateDir = filepath.Join(xdg, "baton")
		return
	case l.home != "":
		l.cfg.StateDir = filepath.Join(l.home, ".local", "state", "baton")
		return
	}
	l.problem(Error{Key: "state_dir", Msg: "there is no place for sessions: no home directory is known", Next: "set $HOME, $XDG_STATE_HOME or $BATON_STATE_DIR"})
}

// checkTogether checks what one key alone cannot tell.
func (l *loader) checkTogether() {
	r := l.cfg.Retry
	if r.Cap < r.Base {
		o, name, msg := l.cfg.Sources["retry.cap"], "retry.cap", "("+short(r.Cap)+") is below retry.base ("+short(r.Base)+")"
		if base := l.cfg.Sources["retry.base"]; base.Layer > o.Layer {
			o, name, msg = base, "retry.base", "("+short(r.Base)+") is above retry.cap ("+short(r.Cap)+")"
		}
		l.problemAt(o, name, msg, "set retry.cap to "+short(r.Base)+" or more")
	}
	if len(l.known.Themes) > 0 {
		l.oneOf("ui.theme", l.cfg.UI.Theme, l.known.Themes)
	}
}

func (l *loader) oneOf(name, value string, of []string) {
	for _, o := range of {
		if o == value {
			return
		}
	}
	l.problemAt(l.cfg.Sources[name], name, "must be one of "+list(of)+", not "+quote(value)+meant(value, of), "")
}

// expand puts the home directory in place of a leading ~.
func (l *loader) expand(path string) string {
	if rest, ok := strings.CutPrefix(path, "~"); ok && l.home != "" && (rest == "" || rest[0] == '/' || rest[0] == filepath.Separator) {
		return filepath.Join(l.home, rest)
	}
	return path
}

// absolute expands ~ and takes other relative paths of the file from where it stands.
func (l *loader) absolute(path string) string {
	path = l.expand(path)
	if filepath.IsAbs(path) {
		return path
	}
	joined := filepath.Join(filepath.Dir(l.cfg.File), path)
	if abs, err := filepath.Abs(joined); err == nil {
		return abs
	}
	return joined
}

// tooBig says a size limit in whole KiB.
func tooBig(limit int) string { return "is larger than " + strconv.Itoa(limit>>10) + " KiB" }
