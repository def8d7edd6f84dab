/* SPDX-License-Identifier: MIT
 * The files of a disk after a power cut. Preloaded into a program, this copies each file in the directory $SYNCED_FROM to
 * $SYNCED_TO when the program syncs it. Writes that the program never synced are not there.
 *
 * A sync of a file also makes its name durable, as on the file systems of Linux; a sync of the directory makes a removal
 * durable. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static char from[PATH_MAX];
static int to = -1;

__attribute__((constructor)) static void prepare(void) {
    const char *source = getenv("SYNCED_FROM"), *target = getenv("SYNCED_TO");
    if (!source || !realpath(source, from) || !target) abort();
    to = open(target, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (to < 0) abort();
}

/* Through the descriptor that there is: closing another one of the same file would end SQLite's locks, fcntl_locking(2).
 * Under its name only when it is complete, as the program may be killed here. */
static int keep_file(int file, const char *name) {
    static char buffer[1 << 16];
    int copy = openat(to, "new", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (copy < 0) return -1;
    off_t offset = 0;
    ssize_t count;
    while ((count = pread(file, buffer, sizeof buffer, offset)) > 0) {
        if (write(copy, buffer, count) != count) count = -1;
        if (count < 0) break;
        offset += count;
    }
    if (close(copy) < 0 || count < 0) return -1;
    return renameat(to, "new", to, name);
}

static int forget_names(int directory) {
    DIR *stream = fdopendir(openat(to, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!stream) return -1;
    struct dirent *entry;
    struct stat status;
    while ((entry = readdir(stream))) {
        if (fstatat(directory, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) < 0) unlinkat(to, entry->d_name, 0);
    }
    return closedir(stream);
}

/* One thread of todayd syncs, and no other. */
static int keep(int descriptor) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return -1;
    path[length] = 0;
    size_t prefix = strlen(from);
    if (strncmp(path, from, prefix) != 0) return 0;
    if (path[prefix] == 0) return forget_names(descriptor);
    const char *name = path + prefix + 1;
    /* Not below it, and not removed meanwhile, which the kernel shows as a name with a space. */
    if (path[prefix] != '/' || strpbrk(name, "/ ")) return 0;
    return keep_file(descriptor, name);
}

int fsync(int descriptor) { return syscall(SYS_fsync, descriptor) < 0 ? -1 : keep(descriptor); }

int fdatasync(int descriptor) { return syscall(SYS_fdatasync, descriptor) < 0 ? -1 : keep(descriptor); }
