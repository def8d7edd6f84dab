/* SPDX-License-Identifier: MIT
 * What Reactor needs of Linux and Swift's importer cannot express: GNU-only functions (accept4), macros that reach
 * into unions (si_status) and socket addresses whose length depends on their text. All return 0 or a descriptor on
 * success and -errno on failure, as libsystemd does. */
#pragma once
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/types.h>

/* The next connection, non-blocking and close-on-exec: accept4(2). */
int clinux_accept(int listener);

/* A Unix socket address of `length` bytes of path, without its NUL: unix(7). */
int clinux_bind_unix(int socket, const char *path, size_t length);
int clinux_connect_unix(int socket, const char *path, size_t length);

/* SO_PEERCRED, socket(7). The number is -1 for a process that is reaped, as SO_PEERPIDFD tells. */
int clinux_peer_credentials(int socket, pid_t *pid, uid_t *uid, gid_t *gid);

/* SO_PEERGROUPS: fills at most *count groups and sets *count to how many there are; -ERANGE if they do not fit. */
int clinux_peer_groups(int socket, gid_t *groups, size_t *count);

/* recv(2) and send(2) without waiting, repeated after a signal; the number of bytes or -errno. Flags of either are enum
 * constants or macros depending on what else is imported, so Swift has no one spelling for them. */
ssize_t clinux_receive(int socket, void *buffer, size_t size);
ssize_t clinux_send(int socket, const void *bytes, size_t size);

/* Reaps the child behind a pidfd without waiting: 1 when reaped, 0 while it runs. `cause` is a CLD_ constant and
 * `value` the exit status or the signal: waitid(2). */
int clinux_reap(int pidfd, int *cause, int *value);

/* A child that has ended and is not reaped; 0 where there is none. It stays one: waitid(2), WNOWAIT. */
pid_t clinux_ended_child(void);

/* Leaves SIGCHLD at its default: a process that was started with it ignored would never see how a child ended. */
int clinux_keep_child_statuses(void);

/* A timer on CLOCK_REALTIME that becomes readable when that clock is set, and arms one again: timerfd_create(2). */
int clinux_clock_change_timer(void);
int clinux_rearm_clock_change_timer(int timer);
