package term

import "golang.org/x/sys/unix"

const setTermiosForTest = unix.TCSETS
