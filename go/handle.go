package moduli

import (
	"errors"
	"runtime"
	"sync/atomic"
	"unsafe"
)

// ErrClosed is returned by calls on a closed handle, and on a zero value, which is like a closed one.
var ErrClosed = errors.New("moduli: closed")

const closedFlag = int64(1) << 62

// handle counts who uses a native handle. Closing waits for nobody: calls that run finish, those that come later fail, and the last one
// to leave frees it.
type handle struct {
	pointer unsafe.Pointer
	free    func(unsafe.Pointer)
	// users is the number of calls that run, and closedFlag beside it once closed.
	users atomic.Int64
}

func (h *handle) enter() error {
	if h == nil { // of a zero value
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

// use calls with the pointer while the handle cannot be freed. The thread is locked: the sentence of an error is kept by thread.
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

// owner is what a type embeds that has a handle. One that is forgotten is freed after the garbage collector has found it.
type owner struct {
	handle *handle
}

// own gives an object its handle. To be called once the object is complete.
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
