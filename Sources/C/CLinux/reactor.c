/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "reactor.h"
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Linux 6.5; the headers of Debian 12 are older. */
#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

int clinux_accept(int listener) {
    int descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    return descriptor < 0 ? -errno : descriptor;
}

static int unix_address(struct sockaddr_un *address, const char *path, size_t length) {
    if (length == 0 || length >= sizeof address->sun_path)
        return -ENAMETOOLONG;
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    memcpy(address->sun_path, path, length);
    return 0;
}

int clinux_bind_unix(int socket, const char *path, size_t length) {
    struct sockaddr_un address;
    int r = unix_address(&address, path, length);
    if (r < 0)
        return r;
    return bind(socket, (struct sockaddr *) &address, sizeof address) < 0 ? -errno : 0;
}

int clinux_connect_unix(int socket, const char *path, size_t length) {
    struct sockaddr_un address;
    int r = unix_address(&address, path, length);
    if (r < 0)
        return r;
    return connect(socket, (struct sockaddr *) &address, sizeof address) < 0 ? -errno : 0;
}

/* Whether the peer is reaped, so that another process may have its number. A kernel before 6.5 cannot tell. */
static int is_gone(int socket) {
    int pidfd;
    socklen_t size = sizeof pidfd;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERPIDFD, &pidfd, &size) < 0)
        return errno == ESRCH || errno == EINVAL;
    int is_reaped = syscall(SYS_pidfd_send_signal, pidfd, 0, NULL, 0) < 0 && errno == ESRCH;
    close(pidfd);
    return is_reaped;
}

int clinux_peer_credentials(int socket, pid_t *pid, uid_t *uid, gid_t *gid) {
    struct ucred credentials;
    socklen_t size = sizeof credentials;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) < 0)
        return -errno;
    *pid = is_gone(socket) ? -1 : credentials.pid;
    *uid = credentials.uid;
    *gid = credentials.gid;
    return 0;
}

int clinux_peer_groups(int socket, gid_t *groups, size_t *count) {
    socklen_t size = (socklen_t) (*count * sizeof *groups);
    int r = getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, groups, &size) < 0 ? -errno : 0;
    *count = size / sizeof *groups;
    return r;
}

ssize_t clinux_receive(int socket, void *buffer, size_t size) {
    for (;;) {
        ssize_t count = recv(socket, buffer, size, MSG_DONTWAIT);
        if (count >= 0)
            return count;
        if (errno != EINTR)
            return -errno;
    }
}

ssize_t clinux_send(int socket, const void *bytes, size_t size) {
    for (;;) {
        ssize_t count = send(socket, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (count >= 0)
            return count;
        if (errno != EINTR)
            return -errno;
    }
}

int clinux_reap(int pidfd, int *cause, int *value) {
    siginfo_t info = {0};
    if (waitid(P_PIDFD, (id_t) pidfd, &info, WEXITED | WNOHANG) < 0)
        return -errno;
    if (info.si_pid == 0)
        return 0;
    *cause = info.si_code;
    *value = info.si_status;
    return 1;
}

pid_t clinux_ended_child(void) {
    siginfo_t info = {0};
    return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) < 0 ? 0 : info.si_pid;
}

int clinux_keep_child_statuses(void) {
    return signal(SIGCHLD, SIG_DFL) == SIG_ERR ? -errno : 0;
}

int clinux_rearm_clock_change_timer(int timer) {
    /* The end of time, as far as the kernel takes it. */
    struct itimerspec end = {.it_value = {.tv_sec = 0x7fffffff}};
    return timerfd_settime(timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &end, NULL) < 0 ? -errno : 0;
}

int clinux_clock_change_timer(void) {
    int timer = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC);
    if (timer < 0)
        return -errno;
    int result = clinux_rearm_clock_change_timer(timer);
    if (result < 0) {
        close(timer);
        return result;
    }
    return timer;
}
