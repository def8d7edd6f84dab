/* SPDX-License-Identifier: MIT
 * Linux interfaces that Swift's Glibc module leaves out. */
#pragma once
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>
#include "launch.h"
#include "owner.h"
#include "reactor.h"

/* Renames a file to a name that nothing has: -1 and EEXIST where something has it. */
int clinux_rename_new(const char *from, const char *to);

/* A descriptor for a symbolic link itself, open(2) with O_PATH: -1 with errno. */
int clinux_open_link(const char *path);
