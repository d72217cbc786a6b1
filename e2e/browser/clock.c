/* A wall clock that is slow by BOULIER_CLOCK_BEHIND_MS, for programs started with LD_PRELOAD: a test
 * does not depend on the time of day, and does not wait for a draw. All programs of a house have it. */
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
    const char *behind = getenv("BOULIER_CLOCK_BEHIND_MS");
    if (result == 0 && which == CLOCK_REALTIME && behind) {
        long long ns = now->tv_nsec + 1000000000 - atoll(behind) % 1000 * 1000000;
        now->tv_sec += ns / 1000000000 - 1 - atoll(behind) / 1000;
        now->tv_nsec = ns % 1000000000;
    }
    return result;
}
