/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "owner.h"
#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* TCP_ESTABLISHED of the kernel; <netinet/tcp.h> cannot be included beside its headers. */
enum { established = 1 };

int clinux_tcp_owner(
    int family, const unsigned char *from, unsigned short from_port, const unsigned char *to, unsigned short to_port,
    uid_t *user) {
    struct {
        struct nlmsghdr header;
        struct inet_diag_req_v2 request;
    } message;
    memset(&message, 0, sizeof message);
    message.header.nlmsg_len = sizeof message;
    message.header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
    message.header.nlmsg_flags = NLM_F_REQUEST;
    message.request.sdiag_family = family;
    message.request.sdiag_protocol = IPPROTO_TCP;
    message.request.idiag_states = -1;
    struct inet_diag_sockid *id = &message.request.id;
    size_t size = family == AF_INET ? 4 : 16;
    memcpy(id->idiag_src, from, size);
    memcpy(id->idiag_dst, to, size);
    id->idiag_sport = htons(from_port);
    id->idiag_dport = htons(to_port);
    id->idiag_cookie[0] = id->idiag_cookie[1] = INET_DIAG_NOCOOKIE;

    int link = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (link < 0) return -1;
    /* The kernel has answered when send(2) returns, so nothing is waited for. */
    union {
        struct nlmsghdr header;
        unsigned char bytes[4096];
    } answer;
    ssize_t count = -1;
    if (send(link, &message, sizeof message, 0) == sizeof message) count = recv(link, &answer, sizeof answer, MSG_DONTWAIT);
    close(link);
    if (count < (ssize_t)NLMSG_LENGTH(sizeof(struct inet_diag_msg)) || answer.header.nlmsg_type != SOCK_DIAG_BY_FAMILY)
        return count < (ssize_t)sizeof answer.header || answer.header.nlmsg_type != NLMSG_ERROR ? -1 : 0;
    const struct inet_diag_msg *found = NLMSG_DATA(&answer.header);
    if (found->idiag_state != established) return 2;
    *user = found->idiag_uid;
    return 1;
}
