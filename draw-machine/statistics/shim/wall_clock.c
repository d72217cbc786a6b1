/* Shows a process another wall clock: preloaded, it stands before the C library's functions that
 * tell the time, which is how Rust's standard library, chrono and SQLite ask for it.
 *
 * KENO_SHOWN_MS            UTC milliseconds since 1970 that every wall clock shows, frozen
 * KENO_SHOWN_UPTIME_MS     what every other clock shows, frozen; without it these run as usual,
 *                          since waiting with a limit rests on them
 *
 * What it does not stand before: a program that asks the kernel past the C library, and the times
 * that the kernel writes into files.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int read_ms(const char *name, long long *ms)
{
    const char *text = getenv(name);
    if (text == NULL)
        return 0;
    *ms = strtoll(text, NULL, 10);
    return 1;
}

static int is_wall(clockid_t clock)
{
    return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
}

int clock_gettime(clockid_t clock, struct timespec *at)
{
    long long ms;
    if (!read_ms(is_wall(clock) ? "KENO_SHOWN_MS" : "KENO_SHOWN_UPTIME_MS", &ms))
        return (int)syscall(SYS_clock_gettime, clock, at);
    at->tv_sec = ms / 1000;
    at->tv_nsec = ms % 1000 * 1000000;
    return 0;
}

int gettimeofday(struct timeval *restrict at, void *restrict zone)
{
    struct timespec exact;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &exact);
    at->tv_sec = exact.tv_sec;
    at->tv_usec = exact.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *at)
{
    struct timespec exact;
    clock_gettime(CLOCK_REALTIME, &exact);
    if (at != NULL)
        *at = exact.tv_sec;
    return exact.tv_sec;
}

int timespec_get(struct timespec *at, int base)
{
    if (base != TIME_UTC)
        return 0;
    clock_gettime(CLOCK_REALTIME, at);
    return base;
}
