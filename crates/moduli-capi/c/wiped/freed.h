/* Looks for secrets in memory that is given back: what a library does not wipe stands there. */

#ifndef FREED_H
#define FREED_H

#include <stddef.h>
#include <stdint.h>

/* From now on free() looks for this secret, too: for each 8 bytes of it, in either order of bytes. */
void freed_watch(const uint8_t *secret, size_t length);

/* How many such words have been freed; forgets all secrets. */
size_t freed_found(void);

#endif
