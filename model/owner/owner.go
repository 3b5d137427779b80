// Package owner says whose a file is: private ones are taken from nobody else. It must not know what a file is for, nor
// look at its mode, of which each use has its own opinion.
package owner
