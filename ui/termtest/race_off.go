//go:build !race

package termtest

// raceFlags is empty: the tests were built without the race detector.
var raceFlags []string
