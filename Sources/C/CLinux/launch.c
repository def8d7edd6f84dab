/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "launch.h"
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define FALLBACK_DESCRIPTORS_MAX 65536

/* Until the exec the child runs on its parent's memory, so a signal handler of ours that ran in it would change our
 * own state. Handlers go back to the default while every signal is still blocked; ignored signals too, because
 * execve(2) would hand those on. By the system call, because the C library's sigaction(2) refuses its two internal
 * signals, which its posix_spawn(3) leaves ignored. All zeros is SIG_DFL without flags on every architecture. */
static void reset_signals(void) {
    static const unsigned long standard[8];
    for (int signal = 1; signal < _NSIG; signal++) {
        syscall(SYS_rt_sigaction, signal, standard, NULL, _NSIG / 8); /* fails for SIGKILL and SIGSTOP */
    }
}

/* Puts the descriptors at 0, 1, 2 … in two rounds: first all are moved out of the way of the targets, then down to
 * their places, so that their order and overlaps do not matter. dup2(2) clears close-on-exec. */
static int place_descriptors(const int *descriptors, int count) {
    int moved[CLINUX_DESCRIPTORS_MAX];
    int null = -1;
    if (count < 3 || count > CLINUX_DESCRIPTORS_MAX) {
        errno = EINVAL;
        return -1;
    }
    for (int i = 0; i < count; i++) {
        int source = descriptors[i];
        if (source < 0) {
            if (null < 0) null = open("/dev/null", O_RDWR | O_CLOEXEC);
            if (null < 0) return -1;
            source = null;
        }
        if (source < count) {
            source = fcntl(source, F_DUPFD_CLOEXEC, count);
            if (source < 0) return -1;
        }
        moved[i] = source;
    }
    for (int i = 0; i < count; i++) {
        if (dup2(moved[i], i) < 0) return -1;
    }
    return 0;
}

/* close_range(2) is there since Linux 5.9, but container runtimes with an old list of system calls refuse it. */
static void close_from(int first) {
    if (syscall(SYS_close_range, (unsigned)first, ~0U, 0) == 0) return;
    struct rlimit open_files = {.rlim_cur = FALLBACK_DESCRIPTORS_MAX};
    getrlimit(RLIMIT_NOFILE, &open_files);
    rlim_t end = open_files.rlim_cur < FALLBACK_DESCRIPTORS_MAX ? open_files.rlim_cur : FALLBACK_DESCRIPTORS_MAX;
    for (int descriptor = first; (rlim_t)descriptor < end; descriptor++) close(descriptor);
}

/* A limit above the hard limit we have ourselves would need a privilege, and ours is the stricter one: it stays. */
static int set_limit(const struct clinux_limit *limit) {
    struct rlimit current;
    if (getrlimit(limit->resource, &current) < 0) return -1;
    rlim_t value = limit->value < current.rlim_max ? (rlim_t)limit->value : current.rlim_max;
    /* Of open files only the usual limit is meant, which a program may raise when it knows what it does. */
    rlim_t most = limit->resource == RLIMIT_NOFILE ? current.rlim_max : value;
    struct rlimit wanted = {.rlim_cur = value, .rlim_max = most};
    return setrlimit(limit->resource, &wanted);
}

/* LISTEN_PID of sd_listen_fds(3) has to be the child's own number, which does not exist before the fork. */
static void write_pid(char *text, pid_t pid) {
    char digits[CLINUX_PID_MAX];
    int count = 0;
    do digits[count++] = (char)('0' + pid % 10); while ((pid /= 10) > 0);
    while (count > 0) *text++ = digits[--count];
    *text = '\0';
}

static int set_up(const struct clinux_launch *launch, pid_t parent, const sigset_t *none) {
    if (launch->new_session && setsid() < 0) return CLINUX_STEP_SESSION;
    if (launch->parent_death_signal != 0) {
        if (prctl(PR_SET_PDEATHSIG, launch->parent_death_signal) < 0) return CLINUX_STEP_PARENT_DEATH_SIGNAL;
        /* It is sent only for a death that comes after the call. */
        if (getppid() != parent) raise(SIGKILL);
    }
    /* Before the descriptors, among which the ruleset is not. */
    if (clinux_shut_in(launch->ruleset, launch->without_network) < 0) return CLINUX_STEP_SANDBOX;
    if (place_descriptors(launch->descriptors, launch->descriptor_count) < 0) return CLINUX_STEP_DESCRIPTORS;
    close_from(launch->descriptor_count);
    if (launch->directory != NULL && chdir(launch->directory) < 0) return CLINUX_STEP_DIRECTORY;
    for (int i = 0; i < launch->limit_count; i++) {
        if (set_limit(&launch->limits[i]) < 0) return CLINUX_STEP_LIMITS;
    }
    if (launch->own_pid != NULL) write_pid(launch->own_pid, getpid());
    reset_signals();
    sigprocmask(SIG_SETMASK, none, NULL);
    execve(launch->executable, launch->arguments, launch->environment);
    return CLINUX_STEP_EXECUTE;
}

/* What the child has. Its outcome is volatile, because the child writes it behind the compiler's back: it shares the memory
 * of its parent, which makes a pipe for the error of the exec unnecessary. */
struct start {
    const struct clinux_launch *launch;
    pid_t parent;
    sigset_t none;
    volatile struct clinux_launch_failure outcome;
};

/* Never inlined: after vfork(2) the child borrows its parent's stack, and what it writes must stay below the parent's frame. */
__attribute__((noinline, noreturn)) static void child(struct start *start) {
    int step = set_up(start->launch, start->parent, &start->none);
    start->outcome.error = errno;
    start->outcome.step = step;
    _exit(127);
}

#if defined(__x86_64__) && defined(CLONE_INTO_CGROUP)
#define CHILD_STACK 32768

/* vfork(2) into a control group. The kernel does no more for it than for vfork, whereas moving a process that exists waits for
 * all processors (cgroup_attach_lock in its kernel/cgroup/cgroup.c). The C library has no function for clone3(2). The child
 * needs a stack of its own, as this function's frame is its parent's. */
static pid_t clone_into_group(struct start *start) {
    _Alignas(16) char stack[CHILD_STACK];
    struct clone_args args = {
        .flags = CLONE_VM | CLONE_VFORK | CLONE_INTO_CGROUP,
        .exit_signal = SIGCHLD,
        .stack = (uintptr_t)stack,
        .stack_size = sizeof stack,
        .cgroup = (uint64_t)start->launch->group,
    };
    long result;
    __asm__ volatile(
        "syscall\n\t"
        "testq %%rax, %%rax\n\t"
        "jnz 1f\n\t"
        "xorl %%ebp, %%ebp\n\t" /* the outermost frame, for debuggers */
        "movq %[start], %%rdi\n\t"
        "call *%[child]\n\t"
        "ud2\n"
        "1:"
        : "=a"(result)
        : "a"(SYS_clone3), "D"(&args), "S"(sizeof args), [start] "r"(start), [child] "r"(child)
        : "rcx", "r11", "memory", "cc");
    if (result >= 0) return (pid_t)result;
    errno = (int)-result;
    return -1;
}
#else
static pid_t clone_into_group(struct start *start) {
    (void)start;
    errno = ENOSYS;
    return -1;
}
#endif

/* Where clone3(2) is forbidden, as by RestrictNamespaces= of systemd.exec(5), the child moves itself before the exec. */
static pid_t start_in_group(struct start *start) {
    pid_t pid = clone_into_group(start);
    if (pid >= 0 || errno != ENOSYS) return pid;
    pid = vfork();
    if (pid != 0) return pid;
    int procs = openat(start->launch->group, "cgroup.procs", O_WRONLY | O_CLOEXEC);
    if (procs >= 0 && write(procs, "0", 1) == 1) child(start);
    start->outcome.error = errno;
    start->outcome.step = CLINUX_STEP_GROUP;
    _exit(127);
}

pid_t clinux_launch(const struct clinux_launch *launch, struct clinux_launch_failure *failure) {
    struct start start = {.launch = launch, .parent = getpid()};
    sigset_t all, before;
    sigfillset(&all);
    sigemptyset(&start.none);

    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t pid = launch->group > 0 ? start_in_group(&start) : vfork();
    if (pid == 0) child(&start);
    int error = errno;
    if (pid < 0) {
        start.outcome.step = launch->group > 0 ? CLINUX_STEP_GROUP : CLINUX_STEP_FORK;
        start.outcome.error = error;
    } else if (start.outcome.step != 0) {
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {}
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);

    failure->step = start.outcome.step;
    failure->error = start.outcome.error;
    return start.outcome.step == 0 ? pid : -1;
}

int clinux_become_subreaper(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

int clinux_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int clinux_socket_pair(int ends[2]) { return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends); }
