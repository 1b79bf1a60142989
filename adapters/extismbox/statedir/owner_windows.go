package statedir

import "io/fs"

// fileMode is the mode of files. One that is read-only could not be replaced
// here.
const fileMode = 0o600

// A directory below the user's profile is protected by its access list, which
// file modes do not show.
func ownedByUser(fs.FileInfo) bool { return true }

func closedToOthers(fs.FileInfo) bool { return true }
