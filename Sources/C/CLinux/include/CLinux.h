/* SPDX-License-Identifier: MIT
 * Linux interfaces that Swift's Glibc module leaves out. */
#pragma once
#include <malloc.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>
#include "launch.h"
#include "owner.h"
#include "reactor.h"
#include "sandbox.h"

/* Renames a file to a name that nothing has: -1 and EEXIST where something has it. */
int clinux_rename_new(const char *from, const char *to);

/* A descriptor for a symbolic link itself, open(2) with O_PATH: -1 with errno. */
int clinux_open_link(const char *path);

/* The same for a name in a directory, which is open as a descriptor, and for anything that has this name. */
int clinux_open_path_at(int directory, const char *name);

/* Whether a file is in procfs (proc(5)): -1 with errno. */
int clinux_is_in_procfs(int file);

/* A file in memory of a fixed size, close-on-exec: memfd_create(2). A write beyond its end fails and sends no signal, as
 * one to a pipe without a reader would. -1 with errno. */
int clinux_fixed_file(size_t size);
