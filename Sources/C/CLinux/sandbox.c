/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The headers of Debian 12 know the first two versions. The kernel accepts a longer structure whose rest is zero. */
struct ruleset {
    uint64_t files, network, scopes;
};
struct __attribute__((packed)) beneath {
    uint64_t access;
    int32_t place;
};
enum {
    EXECUTE = 1 << 0, WRITE_FILE = 1 << 1, READ_FILE = 1 << 2, READ_DIRECTORY = 1 << 3,
    CHANGE_DIRECTORY = 0x1ff << 4, /* remove and make entries of all kinds */
    REFER = 1 << 13,               /* since version 2 */
    TRUNCATE = 1 << 14,            /* 3 */
    DEVICE_CONTROL = 1 << 15,      /* 5 */
    OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | DEVICE_CONTROL,
};
enum { ABSTRACT_SOCKETS = 1 << 0, SIGNALS = 1 << 1 }; /* 6 */

#define LANDLOCK_PATH_BENEATH 1
#define LANDLOCK_VERSION 1

static uint64_t handled(int version) {
    uint64_t files = (1 << 13) - 1;
    if (version >= 2) files |= REFER;
    if (version >= 3) files |= TRUNCATE;
    if (version >= 5) files |= DEVICE_CONTROL;
    return files;
}

int clinux_landlock_version(void) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_VERSION);
    return version > 0 ? (int)version : 0;
}

int clinux_ruleset(int version) {
    struct ruleset rules = {.files = handled(version)};
    if (version >= 6) rules.scopes = ABSTRACT_SOCKETS | SIGNALS;
    /* Before version 6 the structure ends earlier, and the rest is zero. */
    return (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0);
}

static int allow(int ruleset, int version, int place, int access) {
    struct stat status;
    if (fstat(place, &status) < 0) return -1;
    uint64_t rights = EXECUTE | READ_FILE | READ_DIRECTORY;
    if (access & CLINUX_WRITE) rights |= WRITE_FILE | CHANGE_DIRECTORY | REFER | TRUNCATE;
    if (access & CLINUX_DEVICE) rights |= WRITE_FILE | DEVICE_CONTROL;
    if (!S_ISDIR(status.st_mode)) rights &= OF_FILES;
    struct beneath rule = {.access = rights & handled(version), .place = place};
    return (int)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_PATH_BENEATH, &rule, 0);
}

int clinux_ruleset_allow(int ruleset, int version, const char *path, int access) {
    int place = open(path, O_PATH | O_CLOEXEC);
    if (place < 0) return -1;
    int result = allow(ruleset, version, place, access);
    int error = errno;
    close(place);
    errno = error;
    return result;
}

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#define FOREIGN_CALLS 0x40000000u /* x32 */
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#define FOREIGN_CALLS 0x80000000u
#endif

#ifdef OWN_ARCHITECTURE
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, value)

/* io_uring can make sockets without socket(2). */
static int forbid_network(void) {
    static struct sock_filter program[] = {
        LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0),
        RETURN(SECCOMP_RET_ERRNO | ENOSYS),
        LOAD(nr),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, FOREIGN_CALLS, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 0, 1),
        RETURN(SECCOMP_RET_ERRNO | ENOSYS),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 1, 0),
        RETURN(SECCOMP_RET_ALLOW),
        LOAD(args[0]),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_NETLINK, 1, 0),
        RETURN(SECCOMP_RET_ERRNO | EAFNOSUPPORT),
        RETURN(SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {.len = sizeof program / sizeof *program, .filter = program};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}
#else
static int forbid_network(void) {
    errno = ENOSYS;
    return -1;
}
#endif

int clinux_shut_in(int ruleset, int without_network) {
    if (ruleset <= 0 && !without_network) return 0;
    /* A set-user-ID program would lead out; the kernel asks for it. */
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return -1;
    if (ruleset > 0 && syscall(SYS_landlock_restrict_self, ruleset, 0) < 0) return -1;
    return without_network ? forbid_network() : 0;
}
