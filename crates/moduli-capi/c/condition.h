/* What tests of the C library stop with. */

#ifndef CONDITION_H
#define CONDITION_H

#include <stdio.h>
#include <stdlib.h>

/* Stops with the place, the function, the condition and the library's last error. */
#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            fprintf(stderr, "%s:%d: %s: %s\nlast error: %s\n", __FILE__, __LINE__, __func__, #condition,     \
                    moduli_last_error());                                                                    \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

#endif
