//go:build !linux

package config

import "os/exec"

func runWhileAlive(cmd *exec.Cmd) error { return cmd.Run() }
