/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "CLinux.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

int clinux_open_link(const char *path) {
    return open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
}

int clinux_open_path_at(int directory, const char *name) {
    return openat(directory, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
}

int clinux_is_in_procfs(int file) {
    struct statfs status;
    if (fstatfs(file, &status) < 0)
        return -1;
    return status.f_type == PROC_SUPER_MAGIC;
}

int clinux_rename_new(const char *from, const char *to) {
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
        return 0;
    /* File systems that cannot do that can link, mostly: rename(2). */
    if (errno != EINVAL && errno != ENOSYS)
        return -1;
    return link(from, to) < 0 ? -1 : unlink(from);
}

int clinux_fixed_file(size_t size) {
    int file = memfd_create("output", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0) return -1;
    if (ftruncate(file, (off_t)size) == 0 && fcntl(file, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) == 0)
        return file;
    int error = errno;
    close(file);
    errno = error;
    return -1;
}
