package extismbox

import (
	"encoding/binary"
	"time"
)

// Sizes, tags and flags of poll_oneoff.
const (
	subscriptionSize = 48
	eventSize        = 32
	clockEvent       = 0
	absoluteTime     = 1
	maxSubscriptions = 1024
	longestSleep     = 1000 * time.Hour
)

// poll serves the guest's sleeping: it waits for the first clock, no longer
// than the run may last. Descriptors are never worth waiting for here.
func (x *execution) poll(p []uint64) errno {
	n := uint64(uint32(p[2]))
	if n == 0 || n > maxSubscriptions {
		return errInvalid
	}
	subscriptions := x.view(p[0], n*subscriptionSize)
	wait, timed := longestSleep, true
	for i := uint64(0); i < n; i++ {
		s := subscriptions[i*subscriptionSize : (i+1)*subscriptionSize]
		if s[8] != clockEvent {
			timed = false
			continue
		}
		wait = min(wait, x.remaining(s))
	}
	if timed && wait > 0 {
		x.sleep(wait, nil)
	}
	events := x.view(p[1], n*eventSize)
	count := uint32(0)
	for i := uint64(0); i < n; i++ {
		s := subscriptions[i*subscriptionSize : (i+1)*subscriptionSize]
		isClock := s[8] == clockEvent
		if isClock && (!timed || x.remaining(s) > wait) {
			continue
		}
		e := events[uint64(count)*eventSize:][:eventSize]
		user, tag := binary.LittleEndian.Uint64(s), s[8]
		clear(e)
		binary.LittleEndian.PutUint64(e, user)
		if !isClock {
			binary.LittleEndian.PutUint16(e[8:], uint16(errNotSupp))
		}
		e[10] = tag
		count++
	}
	x.put32(p[3], count)
	x.check()
	return success
}

// remaining returns how long a clock subscription has to wait.
func (x *execution) remaining(s []byte) time.Duration {
	id := binary.LittleEndian.Uint32(s[16:])
	d := binary.LittleEndian.Uint64(s[24:])
	if binary.LittleEndian.Uint16(s[40:])&absoluteTime != 0 {
		d -= min(d, uint64(x.clock(id)))
	}
	return time.Duration(min(d, uint64(longestSleep)))
}
