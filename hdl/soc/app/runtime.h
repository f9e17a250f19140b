/* A replacement for a C library and an operating system: the console, interrupts and time. */
#ifndef RUNTIME_H
#define RUNTIME_H

#include "moduli_rns_driver.h"

void print(const char *text);
void print_number(uint32_t value);                       /* decimal */
void print_words(const uint32_t *words, uint32_t count); /* hexadecimal, the highest word first */
void print_bytes(const uint8_t *bytes, uint32_t count);
void end(void) __attribute__((noreturn)); /* ends the simulation */

uint32_t cycles(void); /* since the start, modulo 2^32 */

/* The interrupts of both cores are served for these structures. */
void serve(struct moduli_rns_resident *curve, struct moduli_rns *order);
extern volatile uint32_t interrupts; /* the number of interrupts so far */
#endif
