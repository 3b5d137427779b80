package openairesponses

import (
	"testing"

	"baton/agentclient/leaktest"
)

func TestMain(m *testing.M) { leaktest.Exit(m.Run()) }
