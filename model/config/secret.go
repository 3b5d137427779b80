package config

import "baton/agentclient/wire"

// Secret is a text that no way of printing shows.
type Secret = wire.Secret

// NewSecret wraps a text.
func NewSecret(s string) Secret { return wire.NewSecret(s) }
