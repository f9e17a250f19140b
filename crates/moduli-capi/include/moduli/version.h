#ifndef MODULI_VERSION_H
#define MODULI_VERSION_H

/* Made by crates/header from the version of the library: do not edit. */

/* The version of these headers; moduli_version() is that of the library that runs. */
#define MODULI_VERSION_MAJOR 0
#define MODULI_VERSION_MINOR 2
#define MODULI_VERSION_PATCH 0

/* 1000000*major + 1000*minor + patch, to be compared. */
#define MODULI_VERSION_NUMBER 2000

#define MODULI_VERSION_STRING "0.2.0"

#endif /* MODULI_VERSION_H */
