package session

// HistoryRead brings a page of items that stand before those that are here. Not recorded:
// it is about what was read, and nothing happened.
type HistoryRead struct{ Items Items }

func (e HistoryRead) apply(s *State) { s.Items = s.Items.Prepend(e.Items) }
