//go:build race

package termtest

// raceFlags build the program with the race detector, as the tests were.
var raceFlags = []string{"-race"}
