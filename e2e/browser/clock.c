/* A wall clock that is fast by BOULIER_CLOCK_AHEAD_MS, for programs started with LD_PRELOAD: a draw
 * is due at a whole minute, and a test does not wait for one. Central and agent have the same. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

int clock_gettime(clockid_t which, struct timespec *now)
{
    static int (*real)(clockid_t, struct timespec *);
    if (!real)
        real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(which, now);
    const char *ahead = getenv("BOULIER_CLOCK_AHEAD_MS");
    if (result == 0 && which == CLOCK_REALTIME && ahead) {
        long long ns = now->tv_nsec + atoll(ahead) % 1000 * 1000000;
        now->tv_sec += atoll(ahead) / 1000 + ns / 1000000000;
        now->tv_nsec = ns % 1000000000;
    }
    return result;
}
