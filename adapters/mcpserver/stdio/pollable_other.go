//go:build !unix

package stdio

import "io"

// pollable returns in as it is: there is nothing to gain.
func pollable(in io.Reader, _ io.Writer) (_ io.Reader, restore func()) { return in, func() {} }
