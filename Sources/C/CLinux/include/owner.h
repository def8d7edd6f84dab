/* SPDX-License-Identifier: MIT
 * Whose a TCP socket of this machine is: sock_diag(7), which Swift's Glibc module lacks. */
#pragma once
#include <sys/types.h>

/* The user of the socket of an open connection.
 *
 * family: AF_INET or AF_INET6, with addresses of 4 or 16 bytes in the network's order.
 * from, to: the socket's own address and the other one.
 * Returns 1 and the user, 2 where the connection is no longer open, 0 where the kernel knows none, and -1 where it cannot be
 * asked. */
int clinux_tcp_owner(
    int family, const unsigned char *from, unsigned short from_port, const unsigned char *to, unsigned short to_port,
    uid_t *user);
