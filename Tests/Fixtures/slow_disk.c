/* SPDX-License-Identifier: MIT
 * A disk that takes its time. Preloaded into a program, this lets statvfs(3) wait until something opens the FIFO $SLOW_DISK
 * for writing, as a file system does whose server does not answer. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <unistd.h>

int statvfs(const char *path, struct statvfs *status) {
    int fifo = open(getenv("SLOW_DISK"), O_RDONLY | O_CLOEXEC);
    if (fifo >= 0) close(fifo);
    int (*real)(const char *, struct statvfs *) = (int (*)(const char *, struct statvfs *))dlsym(RTLD_NEXT, "statvfs");
    return real(path, status);
}
