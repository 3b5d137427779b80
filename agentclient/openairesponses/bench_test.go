package openairesponses

import (
	"testing"

	"baton/agentclient/protocoltest"
)

func TestCosts(t *testing.T) { protocoltest.Costs(t, protocol) }

func BenchmarkDecode(b *testing.B) { protocoltest.Bench(b, protocol) }
