package ports

import "time"

// Clock tells the time. Now may be called concurrently.
type Clock interface {
	Now() time.Time
}
