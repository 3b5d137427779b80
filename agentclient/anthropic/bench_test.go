package anthropic

import (
	"testing"

	"baton/agentclient/protocoltest"
)

func TestCosts(t *testing.T) { protocoltest.Costs(t, contract) }

func BenchmarkDecode(b *testing.B) { protocoltest.Bench(b, contract) }
