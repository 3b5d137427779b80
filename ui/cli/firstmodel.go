package cli

import (
	"context"
	"fmt"
	"io"
	"sync"

	"baton/agentclient"
	"baton/agentclient/all"
	"baton/retrypolicy"
)

// firstModel is an agent whose model is the first that its server lists. The list is
// asked for at the start; if the server is not there yet, each attempt asks first.
type firstModel struct {
	conf all.Config
	list agentclient.Lister

	asking sync.Mutex // held while the server is asked, which may take long
	mu     sync.Mutex // held for a moment: the screen asks for Info with every frame
	real   agentclient.Agent
	info   agentclient.Info
}

func openFirstModel(ctx context.Context, c all.Config) (*firstModel, io.Closer, error) {
	probe, closer, err := all.Open(c)
	if err != nil {
		return nil, nil, err
	}
	lister, ok := probe.(agentclient.Lister)
	if !ok {
		return nil, nil, usage("add --model NAME", "the agent %q needs a model", c.Name)
	}
	a := &firstModel{conf: c, list: lister, info: probe.Info()}
	ctx, cancel := context.WithTimeout(ctx, listWait)
	defer cancel()
	_ = a.resolve(ctx) // a server that is not there yet is asked again by the first turn
	return a, closer, nil
}

// resolve asks the server once it is needed.
func (a *firstModel) resolve(ctx context.Context) error {
	a.asking.Lock()
	defer a.asking.Unlock()
	if a.found() != nil {
		return nil
	}
	models, err := a.list.Models(ctx)
	if err != nil {
		return err
	}
	if len(models) == 0 {
		return &retrypolicy.Failure{Condition: retrypolicy.CondRefusedLocal, Message: "the server lists no model; name one with --model"}
	}
	a.conf.Model = models[0]
	real, _, err := all.Open(a.conf)
	if err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.real, a.info = real, real.Info()
	return nil
}

// found is the agent with its model, nil until the server has named one.
func (a *firstModel) found() agentclient.Agent {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.real
}

// said tells which model was taken, or "".
func (a *firstModel) said() string {
	if a.found() == nil {
		return ""
	}
	return fmt.Sprintf("No model was named: using %s, the first of the server's list", a.Info().Model)
}

// Info names the agent; the model is empty until the server has named it.
func (a *firstModel) Info() agentclient.Info {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.info
}

// Models lists what the server offers.
func (a *firstModel) Models(ctx context.Context) ([]string, error) { return a.list.Models(ctx) }

// Takes says why a file has no place in a request, which is a matter of the protocol.
func (a *firstModel) Takes(file agentclient.Attachment) error {
	if t, ok := a.list.(agentclient.Taker); ok {
		return t.Takes(file)
	}
	return nil
}

// Window is the size of a model's context window, if the list told it.
func (a *firstModel) Window(model string) int {
	if s, ok := a.list.(agentclient.Sizer); ok {
		return s.Window(model)
	}
	return 0
}

// Send finds the model if need be, then sends.
func (a *firstModel) Send(ctx context.Context, r agentclient.Request, sink agentclient.Sink) (agentclient.Finish, error) {
	if err := a.resolve(ctx); err != nil {
		return agentclient.Finish{}, err
	}
	return a.found().Send(ctx, r, sink)
}
