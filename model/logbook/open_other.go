//go:build !unix

package logbook

const noFollow = 0
