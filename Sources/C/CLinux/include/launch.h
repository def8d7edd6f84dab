/* SPDX-License-Identifier: MIT
 * Starting a program: one vfork and everything that has to happen between it and the exec.
 *
 * posix_spawn(3) cannot set resource limits or a parent-death signal, and cannot say which step failed.
 * Between vfork(2) and execve(2) only async-signal-safe calls are allowed, which Swift code cannot promise: hence C. */
#pragma once
#include <sys/types.h>

/* A resource limit for the child, soft and hard alike, as in setrlimit(2). */
struct clinux_limit {
    int resource;
    unsigned long long value;
};

struct clinux_launch {
    const char *executable;         /* given to execve(2) as it is: no search in PATH */
    char *const *arguments;         /* ends with NULL, begins with argv[0] */
    char *const *environment;       /* ends with NULL */
    const char *directory;          /* working directory, or NULL to stay */
    const int *descriptors;         /* the child's descriptor i is a copy of descriptors[i]; -1 stands for /dev/null */
    int descriptor_count;           /* 3 or more, at most CLINUX_DESCRIPTORS_MAX; everything above is closed */
    const struct clinux_limit *limits;
    int limit_count;
    int new_session;                /* setsid(2): own session and process group, no controlling terminal */
    int group;                      /* a directory of a control group to start in, cgroups(7); 0 for that of this process */
    int parent_death_signal;        /* sent to the child when the thread that launched it ends; 0 for none */
    int ruleset;                    /* of sandbox.h, which shuts the child in; 0 for none */
    int without_network;            /* likewise */
    char *own_pid;                  /* where the child writes its process id before the exec, CLINUX_PID_MAX bytes: a
                                       place within `environment`; or NULL */
};

#define CLINUX_DESCRIPTORS_MAX 16
#define CLINUX_PID_MAX 12

enum clinux_launch_step {
    CLINUX_STEP_FORK = 1,
    CLINUX_STEP_GROUP,
    CLINUX_STEP_SESSION,
    CLINUX_STEP_PARENT_DEATH_SIGNAL,
    CLINUX_STEP_SANDBOX,
    CLINUX_STEP_DESCRIPTORS,
    CLINUX_STEP_DIRECTORY,
    CLINUX_STEP_LIMITS,
    CLINUX_STEP_EXECUTE,
};

/* The step that failed and its errno. */
struct clinux_launch_failure {
    int step;
    int error;
};

/* Starts the program and returns its process id; -1 with `failure` filled in when any step failed, and then no child
 * is left behind, not even a zombie. Returns as soon as the exec has happened (or failed). */
pid_t clinux_launch(const struct clinux_launch *launch, struct clinux_launch_failure *failure);

/* Orphans among our descendants become our children: PR_SET_CHILD_SUBREAPER, prctl(2), which takes variable arguments.
 * 0 or -1 with errno. */
int clinux_become_subreaper(void);

/* pipe2(2) with O_CLOEXEC, which is GNU-only: 0 or -1 with errno. */
int clinux_pipe(int ends[2]);

/* socketpair(2) of two connected stream sockets with O_CLOEXEC; SOCK_STREAM is not a plain number in glibc's headers, so
 * Swift cannot combine it with flags. 0 or -1 with errno. */
int clinux_socket_pair(int ends[2]);
