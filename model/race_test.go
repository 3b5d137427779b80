//go:build race

package model

// raced: the tests run under the race detector, with which everything takes ten times as long.
const raced = true
