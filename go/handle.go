package moduli

import (
	"errors"
	"runtime"
	"sync/atomic"
	"unsafe"
)

// ErrClosed is returned by calls on a closed handle and on a zero value.
var ErrClosed = errors.New("moduli: closed")

const closedFlag = int64(1) << 62

// handle counts the calls that use a native handle. Closing does not wait: running calls finish, later calls fail, and the last
// running call frees the handle.
type handle struct {
	pointer unsafe.Pointer
	free    func(unsafe.Pointer)
	// users is the number of running calls, plus closedFlag once the handle is closed.
	users atomic.Int64
}

func (h *handle) enter() error {
	if h == nil { // The owner is a zero value.
		return ErrClosed
	}
	for {
		users := h.users.Load()
		if users >= closedFlag {
			return ErrClosed
		}
		if h.users.CompareAndSwap(users, users+1) {
			return nil
		}
	}
}

func (h *handle) leave() {
	if h.users.Add(-1) == closedFlag {
		h.free(h.pointer)
	}
}

func (h *handle) close() {
	if h == nil {
		return
	}
	for {
		users := h.users.Load()
		if users >= closedFlag {
			return
		}
		if h.users.CompareAndSwap(users, users|closedFlag) {
			if users == 0 {
				h.free(h.pointer)
			}
			return
		}
	}
}

// use runs call with the pointer; the handle is not freed meanwhile. It locks the thread, as the C library keeps messages per
// thread.
func (h *handle) use(call func(unsafe.Pointer) error) error {
	if err := h.enter(); err != nil {
		return err
	}
	defer h.leave()
	return locked(func() error { return call(h.pointer) })
}

func locked(call func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return call()
}

// owner is embedded in every type that has a handle. If nobody closes it, the handle is freed after the garbage collector finds
// it.
type owner struct {
	handle *handle
}

// own gives an object its handle. Call it once the object is complete.
func own[T any](object *T, at *owner, pointer unsafe.Pointer, free func(unsafe.Pointer)) {
	at.handle = &handle{pointer: pointer, free: free}
	runtime.AddCleanup(object, (*handle).close, at.handle)
}

// Close wipes secrets in the native memory and frees it as soon as no call uses it. Calling it twice has no
// effect.
func (o *owner) Close() error {
	o.handle.close()
	return nil
}
