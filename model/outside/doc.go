// Package outside lets other processes of the same person reach the queue of a running
// chat over a private unix socket, and that of a session which nobody has open.
//
// It must not decide: what is asked becomes inputs of the session, which are fed on the
// program's own goroutine, and what is answered is what came of them. Nothing from outside
// is ever taken for a key or for the answer to a question.
package outside
