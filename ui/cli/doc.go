// Package cli is the command line: it reads flags and configuration, opens agents and
// sessions, and runs the screen or a headless run. It must hold no rule of the chat and
// draw nothing of it.
package cli
