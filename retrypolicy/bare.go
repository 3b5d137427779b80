package retrypolicy

import (
	"context"
	"crypto/x509"
	"errors"
	"io"
	"io/fs"
	"net"
	"syscall"
)

func cancelled(err error) bool { return errors.Is(err, context.Canceled) }

// untrusted says whether err is about a certificate.
func untrusted(err error) bool {
	return is[x509.UnknownAuthorityError](err) || is[x509.HostnameError](err) ||
		is[x509.CertificateInvalidError](err) || is[x509.SystemRootsError](err) ||
		is[x509.ConstraintViolationError](err) || is[x509.InsecureAlgorithmError](err) ||
		is[x509.UnhandledCriticalExtension](err)
}

// ofFile says whether err is about a local file. Such errors carry an errno as network
// errors do, and are none.
func ofFile(err error) bool { return is[*fs.PathError](err) }

func timedOut(err error) bool {
	var n net.Error
	return errors.As(err, &n) && n.Timeout() && !ofFile(err)
}

func ofNetwork(err error) bool {
	if ofFile(err) {
		return false
	}
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, io.ErrClosedPipe) || errors.Is(err, net.ErrClosed) ||
		is[net.Error](err) || is[syscall.Errno](err)
}

func is[T error](err error) bool {
	var target T
	return errors.As(err, &target)
}
