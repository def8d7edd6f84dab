/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "CLinux.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int clinux_open_link(const char *path) {
    return open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
}

int clinux_rename_new(const char *from, const char *to) {
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
        return 0;
    /* File systems that cannot do that can link, mostly: rename(2). */
    if (errno != EINVAL && errno != ENOSYS)
        return -1;
    return link(from, to) < 0 ? -1 : unlink(from);
}
