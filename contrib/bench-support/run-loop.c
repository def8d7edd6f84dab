/* SPDX-License-Identifier: MIT
 * Runs a command many times and prints the time of one run: from posix_spawn(3) to the end of its output and its exit.
 * It reads and drops the output.
 *
 *   run-loop RUNS COMMAND [ARGUMENT...]          median_us of that many runs, and runs per second
 *   run-loop --ready RUNS COMMAND [ARGUMENT...]  the time until the command says READY=1 to $NOTIFY_SOCKET; then ends it */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static void fail(const char *what) {
    fprintf(stderr, "run-loop: %s: %s\n", what, strerror(errno));
    exit(1);
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static pid_t start(char **command, int output) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (output >= 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    pid_t pid;
    errno = posix_spawnp(&pid, command[0], &actions, NULL, command, environ);
    if (errno != 0)
        fail(command[0]);
    posix_spawn_file_actions_destroy(&actions);
    return pid;
}

static int64_t run(char **command) {
    int ends[2];
    char buffer[4096];
    int64_t begin = now();
    if (pipe2(ends, O_CLOEXEC) < 0)
        fail("pipe");
    pid_t pid = start(command, ends[1]);
    close(ends[1]);
    while (read(ends[0], buffer, sizeof buffer) > 0)
        ;
    close(ends[0]);
    waitpid(pid, NULL, 0);
    return now() - begin;
}

static int64_t run_until_ready(char **command) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "/tmp/run-loop-%d", (int) getpid());
    unlink(address.sun_path);
    int notify = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (notify < 0 || bind(notify, (struct sockaddr *) &address, sizeof address) < 0)
        fail(address.sun_path);
    setenv("NOTIFY_SOCKET", address.sun_path, 1);
    struct timeval limit = {.tv_sec = 60};
    setsockopt(notify, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    int64_t begin = now();
    pid_t pid = start(command, -1);
    char message[4096];
    ssize_t length;
    do {
        if ((length = recv(notify, message, sizeof message - 1, 0)) < 0)
            fail("no READY=1");
        message[length] = 0;
    } while (strstr(message, "READY=1") == NULL);
    int64_t end = now();
    kill(pid, SIGTERM);
    waitpid(pid, NULL, 0);
    close(notify);
    unlink(address.sun_path);
    return end - begin;
}

static int compare(const void *left, const void *right) {
    int64_t a = *(const int64_t *) left, b = *(const int64_t *) right;
    return (a > b) - (a < b);
}

int main(int argc, char **argv) {
    int ready = argc > 1 && strcmp(argv[1], "--ready") == 0;
    argv += ready;
    argc -= ready;
    size_t runs = argc > 2 ? strtoul(argv[1], NULL, 10) : 0;
    if (runs == 0) {
        fprintf(stderr, "usage: run-loop [--ready] RUNS COMMAND [ARGUMENT...]\n");
        return 2;
    }
    int64_t *times = calloc(runs, sizeof *times);
    if (times == NULL)
        fail("calloc");
    int64_t begin = now();
    for (size_t i = 0; i < runs; i++)
        times[i] = ready ? run_until_ready(argv + 2) : run(argv + 2);
    double seconds = (double) (now() - begin) / 1e9;
    qsort(times, runs, sizeof *times, compare);
    printf("median_us=%.1f runs_per_second=%.0f\n", (double) times[runs / 2] / 1e3, (double) runs / seconds);
    return 0;
}
