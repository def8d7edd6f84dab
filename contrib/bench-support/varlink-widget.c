/* SPDX-License-Identifier: MIT
 * The smallest widget with Protocol=varlink: answers every call on descriptor 3 with the same content.
 *
 *   varlink-widget               serves descriptor 3 until it is closed
 *   varlink-widget --echo RUNS   starts itself at the other end of a socketpair(2), calls it that many times and prints the
 *                                calls per second: the upper bound */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static const char answer[] = "{\"parameters\":{\"update\":{\"result\":\"newData\",\"content\":{\"text\":\"hello\"}}}}";
static const char call[] =
    "{\"method\":\"org.todayd.Widget.PerformUpdate\",\"parameters\":{\"request\":"
    "{\"reason\":\"request\",\"mode\":\"compact\",\"columns\":48,\"rows\":5}}}";

static void fail(const char *what) {
    perror(what);
    exit(1);
}

/* Reads until the NUL that ends a message; 0 at the end of the connection. */
static int receive(int socket) {
    char buffer[4096];
    for (;;) {
        ssize_t count = read(socket, buffer, sizeof buffer);
        if (count < 0) fail("read");
        if (count == 0) return 0;
        if (buffer[count - 1] == 0) return 1;
    }
}

static void serve(int socket) {
    while (receive(socket)) {
        if (write(socket, answer, sizeof answer) != sizeof answer) fail("write");
    }
}

static void echo(unsigned long runs) {
    int ends[2];
    struct timespec begin, end;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) fail("socketpair");
    pid_t pid = fork();
    if (pid < 0) fail("fork");
    if (pid == 0) {
        close(ends[0]);
        serve(ends[1]);
        _exit(0);
    }
    close(ends[1]);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (unsigned long i = 0; i < runs; i++) {
        if (write(ends[0], call, sizeof call) != sizeof call) fail("write");
        if (!receive(ends[0])) fail("no answer");
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    double seconds = (double) (end.tv_sec - begin.tv_sec) + (double) (end.tv_nsec - begin.tv_nsec) / 1e9;
    printf("calls_per_second=%.0f\n", (double) runs / seconds);
}

int main(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "--echo") == 0)
        echo(strtoul(argv[2], NULL, 10));
    else
        serve(3);
    return 0;
}
