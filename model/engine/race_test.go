//go:build race

package engine

// slower is how many times less a test of volume does under the race detector.
const slower = 10
