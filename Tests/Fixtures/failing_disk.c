/* SPDX-License-Identifier: MIT
 * A disk that fails. Preloaded into a program, this refuses what SQLite writes and syncs with EIO for as long as the file
 * $FAILING_DISK exists. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static int fails(void) {
    const char *name = getenv("FAILING_DISK");
    int before = errno, is_there = name && access(name, F_OK) == 0;
    errno = is_there ? EIO : before;
    return is_there;
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
    return fails() ? -1 : syscall(SYS_pwrite64, file, bytes, count, offset);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) { return pwrite64(file, bytes, count, offset); }
int fsync(int file) { return fails() ? -1 : (int) syscall(SYS_fsync, file); }
int fdatasync(int file) { return fails() ? -1 : (int) syscall(SYS_fdatasync, file); }
