package stdio

import (
	"crypto/rand"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// waitingNotifications is how many notifications may wait to be written; more
// are dropped, which the protocol allows.
const waitingNotifications = 256

// session is what mcp-go knows of the client.
type session struct {
	id            string
	notifications chan mcp.JSONRPCNotification
	initialized   atomic.Bool
	version       atomic.Pointer[string]
}

var (
	_ server.ClientSession              = (*session)(nil)
	_ server.SessionWithProtocolVersion = (*session)(nil)
)

func newSession() *session {
	return &session{id: "stdio-" + rand.Text(), notifications: make(chan mcp.JSONRPCNotification, waitingNotifications)}
}

// SessionID returns a name that no other session has.
func (s *session) SessionID() string { return s.id }

// NotificationChannel returns where mcp-go puts notifications.
func (s *session) NotificationChannel() chan<- mcp.JSONRPCNotification { return s.notifications }

// Initialize notes that the client may get notifications.
func (s *session) Initialize() { s.initialized.Store(true) }

// Initialized tells whether the client may get notifications.
func (s *session) Initialized() bool { return s.initialized.Load() }

// SetProtocolVersion notes the version that initialize has settled.
func (s *session) SetProtocolVersion(version string) { s.version.Store(&version) }

// ProtocolVersion returns the version that initialize has settled, or "".
func (s *session) ProtocolVersion() string {
	if v := s.version.Load(); v != nil {
		return *v
	}
	return ""
}
