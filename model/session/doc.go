// Package session holds the rules of a conversation: what a person or an agent
// may do in which state, what then is recorded, and what must be done about it.
// It is pure: it must not know a clock, a file, the network or a screen.
//
// Decide holds all policy, Apply is a plain fold, and everything a person sees of
// the past is a projection of the same events. The contract it keeps is listed in
// the README as C1 to C7, C10 and C12.
package session
