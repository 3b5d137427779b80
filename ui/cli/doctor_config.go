package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"runtime"
	"slices"

	"baton/model/config"
)

// configured reads the configuration as every other command would.
func (d *doctor) configured(context.Context) {
	path := config.Path(d.Env, d.Home, d.flags)
	conf, notice, err := d.configuration()
	if err == nil {
		var table bound
		if table, err = keysOf(conf); err == nil {
			d.conf = conf
			d.agents = newAgents(conf, nil)
			d.inForce(path, conf)
			for _, c := range table.clash {
				d.warn(clashStep, "%s", clashed(table.keys, c))
			}
		}
	}
	if err != nil {
		d.mistakes(err)
	}
	if notice != "" {
		d.warn("baton config trust", "%s", notice)
	}
	if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o022 != 0 && runtime.GOOS != "windows" {
		d.warn("chmod go-w "+path, "others can change %s, and with it where your keys go", path)
	}
}

// mistakes tells each, or what kept the configuration from being read.
func (d *doctor) mistakes(err error) {
	var all config.Problems
	var ex *exitError
	switch {
	case errors.As(err, &all):
		for _, p := range all {
			d.bad(orWords(p.Next, "correct it; baton config check lists every mistake"), "%s", p.Error())
		}
	case errors.As(err, &ex):
		d.bad(orWords(ex.next, "correct it"), "%s", err.Error())
	default:
		d.bad("correct it", "%s", err.Error())
	}
}

// inForce says which layers there are.
func (d *doctor) inForce(path string, conf config.Config) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) || path == "" {
		d.say(fine, "baton config init writes a file to begin with", "no file of yours: the defaults are in force")
	} else {
		d.fine("%s is in order", path)
	}
	if conf.Project != "" {
		d.fine("%s is trusted and read", conf.Project)
	}
	var set []string
	for _, o := range conf.Sources {
		if o.Layer == config.LayerEnv && !slices.Contains(set, o.Name) {
			set = append(set, o.Name)
		}
	}
	slices.Sort(set)
	if len(set) > 0 {
		d.fine("the environment sets %s", inWords(set))
	}
}
