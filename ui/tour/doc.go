// Package tour reads scripts of what a person does and what the screen shows then, and plays them with the program in a
// pseudo-terminal. testdata/e2e/README.md describes the scripts. It must be imported by tests only, and must not know
// the program's own packages: which keys there are is told by whoever plays a script.
package tour
