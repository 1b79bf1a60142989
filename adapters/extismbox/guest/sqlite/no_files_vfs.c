/* SQLite's OS layer for a guest without a file system (SQLITE_OS_OTHER=1). Every named file is refused with
 * SQLITE_CANTOPEN; ":memory:", temporary tables and vfs=memdb need no file. Randomness and clocks are WASI's. */
#include "sqlite3.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

/* Milliseconds from noon, 24 November 4714 BC (the Julian epoch) to 1 January 1970. */
#define UNIX_EPOCH_JULIAN_MS 210866760000000LL
#define MS_PER_DAY 86400000.0
#define MAX_PATHNAME 512
/* The most that one getentropy call gives. */
#define ENTROPY_MAX 256

static int
vfs_open(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *file, int flags, int *out_flags)
{
    file->pMethods = NULL;
    return SQLITE_CANTOPEN;
}

static int
vfs_delete(sqlite3_vfs *vfs, const char *name, int sync_dir)
{
    return SQLITE_IOERR_DELETE_NOENT;
}

static int
vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *exists)
{
    *exists = 0;
    return SQLITE_OK;
}

static int
vfs_full_pathname(sqlite3_vfs *vfs, const char *name, int size, char *out)
{
    size_t length = strlen(name);
    if (length >= (size_t)size) {
        return SQLITE_CANTOPEN;
    }
    memcpy(out, name, length + 1);
    return SQLITE_OK;
}

static int
vfs_randomness(sqlite3_vfs *vfs, int size, char *out)
{
    for (int done = 0; done < size; done += ENTROPY_MAX) {
        int part = size - done < ENTROPY_MAX ? size - done : ENTROPY_MAX;
        if (getentropy(out + done, part) != 0) {
            return done;
        }
    }
    return size;
}

static int
vfs_current_time_ms(sqlite3_vfs *vfs, sqlite3_int64 *julian_ms)
{
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) {
        return SQLITE_ERROR;
    }
    *julian_ms = UNIX_EPOCH_JULIAN_MS + (sqlite3_int64)now.tv_sec * 1000 + now.tv_nsec / 1000000;
    return SQLITE_OK;
}

static int
vfs_current_time(sqlite3_vfs *vfs, double *julian_days)
{
    sqlite3_int64 julian_ms;
    int rc = vfs_current_time_ms(vfs, &julian_ms);
    if (rc == SQLITE_OK) {
        *julian_days = (double)julian_ms / MS_PER_DAY;
    }
    return rc;
}

static int
vfs_sleep(sqlite3_vfs *vfs, int microseconds)
{
    struct timespec pause = {microseconds / 1000000, microseconds % 1000000 * 1000L};
    nanosleep(&pause, NULL);
    return microseconds;
}

static int
vfs_last_error(sqlite3_vfs *vfs, int size, char *out)
{
    return 0;
}

static sqlite3_vfs no_files = {
    .iVersion = 2,
    .szOsFile = sizeof(sqlite3_file),
    .mxPathname = MAX_PATHNAME,
    .zName = "none",
    .xOpen = vfs_open,
    .xDelete = vfs_delete,
    .xAccess = vfs_access,
    .xFullPathname = vfs_full_pathname,
    .xRandomness = vfs_randomness,
    .xSleep = vfs_sleep,
    .xCurrentTime = vfs_current_time,
    .xGetLastError = vfs_last_error,
    .xCurrentTimeInt64 = vfs_current_time_ms,
};

int
sqlite3_os_init(void)
{
    return sqlite3_vfs_register(&no_files, 1);
}

int
sqlite3_os_end(void)
{
    return SQLITE_OK;
}
