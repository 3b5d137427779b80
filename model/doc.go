// Package model is the running program: the Bubble Tea model. It is a thin shell: keys
// become inputs of the engine, outcomes become what the components show. It must hold
// no rule about queue, turn or retry; those are the session's.
package model
