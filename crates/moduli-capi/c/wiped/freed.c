/* free() and realloc() that look for secrets before they call those of glibc: linked to a program or loaded before it. */

#define _GNU_SOURCE

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "freed.h"

#define MOST 1024

void __libc_free(void *block);

static uint8_t words[MOST][8];
static size_t watched, found;

void freed_watch(const uint8_t *secret, size_t length) {
    for (size_t at = 0; at + 8 <= length && watched + 2 <= MOST; at += 8) {
        uint8_t all = 0;
        for (size_t i = 0; i < 8; i++) {
            all |= words[watched][i] = words[watched + 1][7 - i] = secret[at + i];
        }
        /* Zeros are everywhere. */
        watched += all == 0 ? 0 : 2;
    }
}

size_t freed_found(void) {
    size_t all = found;
    watched = found = 0;
    return all;
}

void free(void *block) {
    if (block != NULL && watched > 0) {
        size_t length = malloc_usable_size(block);
        for (size_t i = 0; i < watched; i++) {
            if (memmem(block, length, words[i], 8) != NULL) {
                __atomic_add_fetch(&found, 1, __ATOMIC_RELAXED);
            }
        }
    }
    __libc_free(block);
}

/* That of glibc would free the old block itself. */
void *realloc(void *block, size_t length) {
    void *other = malloc(length);
    if (other != NULL && block != NULL) {
        size_t old = malloc_usable_size(block);
        memcpy(other, block, old < length ? old : length);
        free(block);
    }
    return other;
}
