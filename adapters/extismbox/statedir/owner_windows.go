package statedir

import "io/fs"

// A directory below the user's profile is protected by its access list, which
// file modes do not show.
func ownedByUser(fs.FileInfo) bool { return true }

func closedToOthers(fs.FileInfo) bool { return true }
