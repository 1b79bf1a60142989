package ports

import (
	"toolplane/domain/handle"
	"toolplane/domain/run"
)

// Blobs holds the contents of results or artifacts under their handles. It
// knows no limits: the ledger has allowed what reaches it.
//
// Put keeps a payload under a handle that is not in use, else its error is
// fs.ErrExist; the zero payload is an error too. It may keep a value as it is,
// since values do not change, but copies or writes out bytes, which belong to
// the caller. Get returns what was put, or an error that is
// fs.ErrNotExist. What Get returned stays valid after Delete. Delete removes a
// payload for good; one that is not there is not an error, and one that could
// not be removed can be deleted again. Close removes everything; only Close may
// be called afterwards, and again. All methods may be called concurrently.
type Blobs interface {
	Put(h handle.Handle, p run.Payload) error
	Get(h handle.Handle) (run.Payload, error)
	Delete(h handle.Handle) error
	Close() error
}
