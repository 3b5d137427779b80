package engine

import "baton/model/session"

// hopeless refuses a text that would become a command which can never succeed. It is known
// here and not to Decide: whether there is an agent or a session of some name is no matter
// of the session's state.
func (e *Engine) hopeless(in session.Input) *session.Refused {
	text, ok := commandIn(in)
	if !ok || e.opt.Check == nil {
		return nil
	}
	if err := e.opt.Check(text, e.here()); err != nil {
		return &session.Refused{Why: session.RefusedCommand, Text: err.Error()}
	}
	return nil
}

// commandIn is the command that an input enters, or makes of a row.
func commandIn(in session.Input) (text string, ok bool) {
	switch in := in.(type) {
	case session.Submit:
		return in.Text, in.Command
	case session.Add:
		return in.Text, in.Command
	case session.Park:
		return in.Text, in.Command
	case session.Rewrite:
		return in.Text, in.Command
	case session.EndEdit:
		return in.Draft.Text, in.Save && in.Draft.Command
	}
	return "", false
}
