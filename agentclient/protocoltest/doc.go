// Package protocoltest is the contract of a protocol, as tests against real sockets on
// loopback: what every answer, failure, silence and stop must come to, whatever the wire
// looks like. A protocol's own test calls Run with the shapes of its wire.
//
// It must not be imported outside tests, nor know any one protocol.
package protocoltest
