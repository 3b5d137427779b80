//go:build !linux && !darwin

package outside

import (
	"errors"
	"net"
)

// Supported says that chats can be reached on this system.
const Supported = false

const pathBytes = 0

func machine() string { return "" }

func dead(int) bool { return false }

func peer(*net.UnixConn) (int, error) { return 0, errors.ErrUnsupported }
