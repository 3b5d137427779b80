package outside

import (
	"net"

	"golang.org/x/sys/unix"
)

// pathBytes is the longest path of a socket in bytes: unix(7), sun_path less its NUL.
const pathBytes = 107

// peer is the user at the other end of a connection: SO_PEERCRED of unix(7).
func peer(c *net.UnixConn) (uid int, err error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return 0, err
	}
	var cred *unix.Ucred
	if cerr := raw.Control(func(fd uintptr) { cred, err = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) }); cerr != nil {
		return 0, cerr
	}
	if err != nil {
		return 0, err
	}
	return int(cred.Uid), nil
}
