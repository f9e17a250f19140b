#ifndef MODULI_ATTRIBUTES_H
#define MODULI_ATTRIBUTES_H

/* Attributes of the functions, for compilers that support them. A program may define any of these macros itself before
 * it includes a header. */

/* Visibility. On Windows a program that links the shared library defines MODULI_SHARED. */
#ifndef MODULI_API
#if defined(_WIN32) && defined(MODULI_SHARED)
#define MODULI_API __declspec(dllimport)
#elif defined(__GNUC__) && !defined(_WIN32)
#define MODULI_API __attribute__((visibility("default")))
#else
#define MODULI_API
#endif
#endif

/* The result says whether the call failed: the compiler warns if it is ignored. */
#ifndef MODULI_MUST_USE
#ifdef __GNUC__
#define MODULI_MUST_USE __attribute__((warn_unused_result))
#else
#define MODULI_MUST_USE
#endif
#endif

/* These arguments, counted from one, must not be NULL: the compiler warns of a literal NULL. At run time, NULL is an
 * error and does no harm. */
#ifndef MODULI_NONNULL
#ifdef __GNUC__
#define MODULI_NONNULL(...) __attribute__((nonnull(__VA_ARGS__)))
#else
#define MODULI_NONNULL(...)
#endif
#endif

#endif /* MODULI_ATTRIBUTES_H */
