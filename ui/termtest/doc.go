// Package termtest runs the program in a pseudo-terminal that answers nothing, reads the screen back, and plays the
// server that misbehaves. It must be imported by tests only, and must not know the program's own packages: what it
// judges, it judges from outside.
package termtest
