package moduli

// #include <moduli.h>
import "C"

import "fmt"

// Status is a moduli_status of the C library. Compare errors with it: errors.Is(err, moduli.NotInvertible).
type Status uint32

// The statuses that callers need most; moduli.h has the others.
const (
	Length          Status = C.MODULI_STATUS_LENGTH
	InvalidModulus  Status = C.MODULI_STATUS_MODULUS
	BaseZero        Status = C.MODULI_STATUS_BASE_ZERO
	ExponentTooLong Status = C.MODULI_STATUS_EXPONENT_TOO_LONG
	NotInvertible   Status = C.MODULI_STATUS_NOT_INVERTIBLE
	BudgetTooSmall  Status = C.MODULI_STATUS_BUDGET_TOO_SMALL
	Parameter       Status = C.MODULI_STATUS_PARAMETER
	Fault           Status = C.MODULI_STATUS_FAULT
)

func (s Status) Error() string {
	return "moduli: " + C.GoString(C.moduli_status_message(C.uint32_t(s)))
}

// Error says why a call failed.
type Error struct {
	Status  Status
	Message string
}

func (e *Error) Error() string { return "moduli: " + e.Message }

// Unwrap returns the status.
func (e *Error) Unwrap() error { return e.Status }

// check turns a status into an error. Call it on the thread that made the C call, because the library keeps
// messages per thread.
func check(status C.moduli_status) error {
	if status == C.MODULI_STATUS_OK {
		return nil
	}
	return &Error{Status(status), C.GoString(C.moduli_last_error())}
}

func refused(status Status, format string, arguments ...any) error {
	return &Error{status, fmt.Sprintf(format, arguments...)}
}

// Version returns the version of the C library at run time.
func Version() string { return C.GoString(C.moduli_version()) }
