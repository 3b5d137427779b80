// Package retrypolicy decides which failures of a model request are worth repeating,
// and when: kinds of failure, the classification table, backoff, and the server's own
// word on when to come back.
//
// It is pure: it must not sleep, draw random numbers, read the clock or touch the
// network. Time and chance are handed in.
package retrypolicy
