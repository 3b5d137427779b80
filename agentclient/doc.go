// Package agentclient runs one turn against an agent, repeating what is worth repeating,
// and tells what happens as an ordered stream of News.
//
// It must not know queues, sessions or screens: it imports nothing of model or ui.
package agentclient
