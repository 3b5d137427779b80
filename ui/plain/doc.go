// Package plain is the chat as lines of words, for screen readers and for terminals that
// can do nothing but scroll: each thing that happens is one or more whole lines, and each
// line that is entered is a prompt or a command. It must not move a cursor, colour,
// redraw, change the terminal's modes, or hold a rule of queue, turn or retry.
//
// All of it runs on the goroutine that called Run, but for the reading of lines and the
// engine's jobs.
package plain
