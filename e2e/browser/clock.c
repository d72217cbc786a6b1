/* The wall clock of a house, for programs started with LD_PRELOAD: slow by BOULIER_CLOCK_BEHIND_MS, so
 * that a test does not depend on the time of day, and put forward on demand, so that it waits for no
 * draw. BOULIER_CLOCK_FILE, which all programs of a house share, says by how much it has been put
 * forward, and by how much it is to be.
 *
 * Central halts its draws when this clock jumps against the one that nobody can set, which is left
 * alone. So it goes on in steps: whoever looks whether it jumped takes it forward by less than is a jump. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

/* Milliseconds. */
struct forward {
    long long wanted;
    long long done;
};

static const char *const LOOKS = "conductor";
enum { STEP_MS = 4000, LOOK_MS = 40, SECOND_MS = 1000 };
/* This thread has waited since it asked for the time. */
static __thread int has_waited;

static struct forward *shared(void)
{
    static struct forward *found;
    const char *name = getenv("BOULIER_CLOCK_FILE");
    if (!found && name) {
        int file = open(name, O_RDWR | O_CLOEXEC);
        void *map = file < 0 ? MAP_FAILED : mmap(NULL, sizeof *found, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (file >= 0)
            close(file);
        if (map != MAP_FAILED)
            found = map;
    }
    return found;
}

static int is_look(long long ms)
{
    static long long last_ms;
    char name[16] = "";
    if (!has_waited || ms - last_ms < LOOK_MS || prctl(PR_GET_NAME, name) != 0 || strcmp(name, LOOKS) != 0)
        return 0;
    last_ms = ms;
    return 1;
}

int clock_gettime(clockid_t which, struct timespec *now)
{
    static int (*real)(clockid_t, struct timespec *);
    if (!real)
        real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(which, now);
    has_waited |= which == CLOCK_MONOTONIC;
    const char *behind = getenv("BOULIER_CLOCK_BEHIND_MS");
    if (result != 0 || which != CLOCK_REALTIME || !behind)
        return result;
    struct forward *forward = shared();
    long long ms = now->tv_sec * SECOND_MS + now->tv_nsec / 1000000 - atoll(behind);
    if (forward) {
        long long left = forward->wanted - forward->done;
        if (left > 0 && is_look(now->tv_sec * SECOND_MS + now->tv_nsec / 1000000))
            forward->done += left < STEP_MS ? left : STEP_MS;
        ms += forward->done;
    }
    has_waited = 0;
    now->tv_sec = ms / SECOND_MS;
    now->tv_nsec = ms % SECOND_MS * 1000000 + now->tv_nsec % 1000000;
    return 0;
}
