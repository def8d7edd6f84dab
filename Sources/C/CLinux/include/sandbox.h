/* SPDX-License-Identifier: MIT
 * What a process can withhold from itself and its children for ever, without privileges and namespaces: files by Landlock,
 * landlock(7), and the network by a filter of system calls, seccomp(2). The C library has functions for neither. */
#pragma once

/* The version of Landlock's interface, 1 or more; 0 where the kernel has none. */
int clinux_landlock_version(void);

/* A ruleset that withholds all files, the signals to processes outside, and the abstract sockets of others, as far as this version
 * can. A descriptor, or -1 with errno. */
int clinux_ruleset(int version);

enum clinux_access { CLINUX_READ = 1, CLINUX_WRITE = 2, CLINUX_DEVICE = 4 };

/* Allows to read and execute, to write, or to use as a device, what is at the path, with all below it: 0 or -1 with errno. */
int clinux_ruleset_allow(int ruleset, int version, const char *path, int access);

/* Shuts this process in, between vfork(2) and execve(2): by the ruleset, unless it is 0, and without any network but netlink
 * and sockets of this machine, if so asked. 0 or -1 with errno. */
int clinux_shut_in(int ruleset, int without_network);
