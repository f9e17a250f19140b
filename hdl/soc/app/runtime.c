#include "runtime.h"

#include <generated/csr.h>
#include <generated/soc.h>
#include <irq.h>

#define EOT 4
#define INTERRUPT 0x80000000u

/* GCC generates calls of these functions. */
void *memcpy(void *to, const void *from, size_t count) {
    uint8_t *place = to;
    const uint8_t *source = from;
    while (count-- > 0) {
        *place++ = *source++;
    }
    return to;
}

void *memset(void *to, int value, size_t count) {
    uint8_t *place = to;
    while (count-- > 0) {
        *place++ = (uint8_t)value;
    }
    return to;
}

static void put(char character) {
    while (uart_txfull_read()) {
    }
    uart_rxtx_write(character);
}

void print(const char *text) {
    while (*text) {
        put(*text++);
    }
}

void print_number(uint32_t value) {
    char digits[11];
    uint32_t place = sizeof digits - 1;
    digits[place] = 0;
    do {
        digits[--place] = (char)('0' + value % 10u);
        value /= 10u;
    } while (value);
    print(digits + place);
}

static void print_hexadecimal(uint32_t value, int digits) {
    while (digits-- > 0) {
        put("0123456789abcdef"[value >> 4 * digits & 15u]);
    }
}

void print_words(const uint32_t *words, uint32_t count) {
    while (count-- > 0) {
        print_hexadecimal(words[count], 8);
    }
}

void print_bytes(const uint8_t *bytes, uint32_t count) {
    while (count-- > 0) {
        print_hexadecimal(*bytes++, 2);
    }
}

void end(void) {
    put(EOT);
    for (;;) {
    }
}

uint32_t cycles(void) {
    timer0_uptime_latch_write(1);
    return (uint32_t)timer0_uptime_cycles_read();
}

static struct moduli_rns_resident *served_curve;
static struct moduli_rns *served_order;
volatile uint32_t interrupts;

void serve(struct moduli_rns_resident *curve, struct moduli_rns *order) {
    served_curve = curve;
    served_order = order;
    /* LiteX has its own enable between the core and the CPU. */
    curve_ev_enable_write(1);
    order_ev_enable_write(1);
    irq_setmask(irq_getmask() | 1u << CURVE_INTERRUPT | 1u << ORDER_INTERRUPT);
    irq_setie(1);
}

/* LiteX's start-up code calls this for every trap. */
void isr(void) {
    uint32_t cause = csrr(mcause);
    if (cause & INTERRUPT) {
        uint32_t pending = irq_pending() & irq_getmask();
        interrupts++;
        if (pending & 1u << CURVE_INTERRUPT) {
            moduli_rns_resident_service(served_curve);
        }
        if (pending & 1u << ORDER_INTERRUPT) {
            moduli_rns_service(served_order);
        }
    } else {
        print("trap ");
        print_hexadecimal(cause, 8);
        print("\n");
        end();
    }
}
