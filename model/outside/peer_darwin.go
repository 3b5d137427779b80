package outside

import (
	"net"

	"golang.org/x/sys/unix"
)

// pathBytes is the longest path of a socket in bytes: unix(4), sun_path less its NUL.
const pathBytes = 103

// peer is the user at the other end of a connection: LOCAL_PEERCRED of unix(4).
func peer(c *net.UnixConn) (uid int, err error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return 0, err
	}
	var cred *unix.Xucred
	if cerr := raw.Control(func(fd uintptr) { cred, err = unix.GetsockoptXucred(int(fd), unix.SOL_LOCAL, unix.LOCAL_PEERCRED) }); cerr != nil {
		return 0, cerr
	}
	if err != nil {
		return 0, err
	}
	return int(cred.Uid), nil
}
