package cli

import (
	"fmt"
	"time"

	"baton/model/catalog"
)

// retain lets go of sessions that are older than sessions.keep, but for the one named spare, and says in one line what
// went, "" for nothing. It reads many files and may take a while: it is for the background.
func (s *setup) retain(spare string, now time.Time) (said string) {
	keep := s.conf.Sessions.Keep
	if keep == 0 || s.sessions() == "" {
		return ""
	}
	gone, err := catalog.Retain(s.sessions(), keep, now, spare)
	days := fmt.Sprintf("%d days", keep/(24*time.Hour))
	switch len(gone) {
	case 0:
	case 1:
		said = fmt.Sprintf("removed 1 session not used for %s: %s (sessions.keep)", days, gone[0].ID)
	default:
		said = fmt.Sprintf("removed %d sessions not used for %s (sessions.keep)", len(gone), days)
	}
	if err != nil {
		if said != "" {
			said += "; "
		}
		said += "some old sessions could not be removed: " + err.Error()
	}
	return said
}
