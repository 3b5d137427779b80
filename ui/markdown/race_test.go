//go:build race

package markdown

const raceDetector = true
