package argcheck

// maxWork bounds one check, in about nanoseconds: what a schema may cost is
// decided by whoever wrote it.
const maxWork = 300_000_000

// What steps cost. Of what depends on a length, a byte of it.
const (
	workOfVisit       = 250  // one value against one schema
	workOfMember      = 50   // reading a member's name and looking it up
	workOfElement     = 20   // finding an element
	workOfKey         = 100  // a value of a key
	workOfKeyByte     = 2    // walked once at every level
	workOfTextByte    = 4    // decoded and counted
	workOfInstruction = 3    // of a pattern, for every byte of the text
	workOfRational    = 1000 // a number with all its digits
)

// work is what may still be done. Every step that takes longer the longer a
// value is pays before it begins.
type work int64

// pay takes the price of a step and reports whether the step may be done.
func (w *work) pay(price int) bool {
	*w -= work(price)
	return !w.spent()
}

// spent reports whether the work gave out, after which everything fits.
func (w *work) spent() bool { return *w <= 0 }
