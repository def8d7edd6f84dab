/* SPDX-License-Identifier: MIT
 * Drives a service on a Unix socket as fast as it answers: one thread, epoll(7), one call under way per connection.
 * Speaks Varlink, and as much of Redis's protocol as a GET needs, so that one client measures both servers. contrib/bench
 * compares the times of both, because bare times depend on the machine.
 *
 *   varlink-load SOCKET calls CONNECTIONS CALLS MESSAGE     MESSAGE is the JSON of a call
 *   varlink-load SOCKET redis CONNECTIONS CALLS KEY
 *   varlink-load SOCKET fanout SUBSCRIBERS ROUNDS SUBSCRIBE CHANGE...
 *
 * calls and redis print calls per second and the median and 99th percentile of the latency. fanout calls SUBSCRIBE, which has
 * `more`, on each subscriber's connection. In each round it sends the next CHANGE on another connection and waits for a reply
 * on every subscriber's; it prints the median and the longest of the times from the change to the last reply. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

struct connection {
    int descriptor;
    int64_t sent;
    /* Redis: the missing bytes of the reply, known from its first line; else -1. */
    long missing;
    char line[32];
    size_t line_length;
};

static const char *socket_path;
static int speaks_redis;
static char buffer[1 << 18];

static void fail(const char *what) {
    fprintf(stderr, "varlink-load: %s: %s\n", what, errno ? strerror(errno) : "unexpected");
    exit(1);
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static int connect_once(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(socket_path) >= sizeof address.sun_path)
        fail("the socket's path is too long");
    strcpy(address.sun_path, socket_path);
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0 || connect(descriptor, (struct sockaddr *) &address, sizeof address) < 0)
        fail(socket_path);
    return descriptor;
}

static void send_all(int descriptor, const char *bytes, size_t size) {
    while (size > 0) {
        ssize_t count = send(descriptor, bytes, size, MSG_NOSIGNAL);
        if (count < 0)
            fail("send");
        bytes += count;
        size -= (size_t) count;
    }
}

/* Whether the read bytes end a reply. */
static int varlink_reply_ends(const char *bytes, ssize_t size) {
    if (bytes[size - 1] != 0)
        return 0;
    if (size > 9 && memcmp(bytes, "{\"error\":", 9) == 0) {
        fprintf(stderr, "varlink-load: the service answers %s\n", bytes);
        exit(1);
    }
    return 1;
}

static int redis_reply_ends(struct connection *connection, const char *bytes, ssize_t size) {
    while (connection->missing < 0 && size > 0) {
        if (connection->line_length + 1 >= sizeof connection->line)
            fail("not a bulk reply");
        connection->line[connection->line_length++] = *bytes;
        size--;
        if (*bytes++ == '\n') {
            connection->line[connection->line_length] = 0;
            if (connection->line[0] != '$' || connection->line[1] == '-')
                fail("no such key");
            connection->missing = atol(connection->line + 1) + 2;
            connection->line_length = 0;
        }
    }
    if (connection->missing < 0)
        return 0;
    connection->missing -= size;
    if (connection->missing > 0)
        return 0;
    connection->missing = -1;
    return 1;
}

/* Reads once. Returns whether the reply is complete. */
static int receive(struct connection *connection) {
    ssize_t size = recv(connection->descriptor, buffer, sizeof buffer, 0);
    errno = size < 0 ? errno : 0;
    if (size <= 0)
        fail("receive");
    return speaks_redis ? redis_reply_ends(connection, buffer, size) : varlink_reply_ends(buffer, size);
}

static struct connection *connect_all(int epoll, size_t count) {
    struct connection *connections = calloc(count, sizeof *connections);
    if (!connections)
        fail("memory");
    for (size_t i = 0; i < count; i++) {
        connections[i].descriptor = connect_once();
        connections[i].missing = -1;
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = &connections[i]};
        if (epoll_ctl(epoll, EPOLL_CTL_ADD, connections[i].descriptor, &event) < 0)
            fail("epoll_ctl");
    }
    return connections;
}

static int by_value(const void *left, const void *right) {
    int64_t a = *(const int64_t *) left, b = *(const int64_t *) right;
    return (a > b) - (a < b);
}

static void drive(size_t count, size_t calls, const char *message, size_t size) {
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    struct connection *connections = connect_all(epoll, count);
    int64_t *latencies = malloc(calls * sizeof *latencies);
    if (epoll < 0 || !latencies)
        fail("set up");
    /* The first call of each connection does not count, because it includes accept(2). */
    for (size_t i = 0; i < count; i++) {
        send_all(connections[i].descriptor, message, size);
        while (!receive(&connections[i]))
            ;
    }
    size_t started = 0, ended = 0;
    int64_t begin = now();
    for (size_t i = 0; i < count && started < calls; i++, started++) {
        connections[i].sent = now();
        send_all(connections[i].descriptor, message, size);
    }
    struct epoll_event events[256];
    while (ended < calls) {
        int ready = epoll_wait(epoll, events, 256, -1);
        for (int i = 0; i < ready; i++) {
            struct connection *connection = events[i].data.ptr;
            if (!receive(connection))
                continue;
            int64_t time = now();
            latencies[ended++] = time - connection->sent;
            if (started == calls)
                continue;
            started++;
            connection->sent = time;
            send_all(connection->descriptor, message, size);
        }
    }
    double seconds = (double) (now() - begin) / 1e9;
    qsort(latencies, calls, sizeof *latencies, by_value);
    printf("calls_per_second=%.3f median_us=%.2f p99_us=%.2f\n", (double) calls / seconds,
        (double) latencies[calls / 2] / 1e3, (double) latencies[calls * 99 / 100] / 1e3);
}

static void fan_out(size_t count, size_t rounds, const char *subscribe, char **changes, size_t change_count) {
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    struct connection *connections = connect_all(epoll, count);
    int64_t *times = malloc(rounds * sizeof *times);
    struct connection changer = {.descriptor = connect_once(), .missing = -1};
    if (epoll < 0 || !times)
        fail("set up");
    for (size_t i = 0; i < count; i++)
        send_all(connections[i].descriptor, subscribe, strlen(subscribe) + 1);
    for (size_t i = 0; i < count; i++)
        while (!receive(&connections[i]))
            ;
    for (size_t round = 0; round < rounds; round++) {
        const char *change = changes[round % change_count];
        int64_t begin = now();
        send_all(changer.descriptor, change, strlen(change) + 1);
        size_t ended = 0;
        struct epoll_event events[256];
        while (ended < count) {
            int ready = epoll_wait(epoll, events, 256, 10000);
            if (ready <= 0)
                fail("a subscriber was not told within 10 s");
            for (int i = 0; i < ready; i++)
                ended += (size_t) receive(events[i].data.ptr);
        }
        times[round] = now() - begin;
        while (!receive(&changer))
            ;
    }
    qsort(times, rounds, sizeof *times, by_value);
    printf("median_ms=%.3f longest_ms=%.3f\n", (double) times[rounds / 2] / 1e6, (double) times[rounds - 1] / 1e6);
}

int main(int argc, char **argv) {
    if (argc < 6) {
        fprintf(stderr, "usage: varlink-load SOCKET calls|redis|fanout CONNECTIONS COUNT MESSAGE|KEY [CHANGE...]\n");
        return 2;
    }
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    socket_path = argv[1];
    size_t count = strtoul(argv[3], NULL, 10), times = strtoul(argv[4], NULL, 10);
    if (count == 0 || times == 0) {
        fprintf(stderr, "varlink-load: the numbers must be positive\n");
        return 2;
    }
    if (strcmp(argv[2], "redis") == 0) {
        char message[1024];
        speaks_redis = 1;
        int size = snprintf(
            message, sizeof message, "*2\r\n$3\r\nGET\r\n$%zu\r\n%s\r\n", strlen(argv[5]), argv[5]);
        drive(count, times, message, (size_t) size);
    } else if (strcmp(argv[2], "fanout") == 0 && argc > 6) {
        fan_out(count, times, argv[5], argv + 6, (size_t) (argc - 6));
    } else {
        drive(count, times, argv[5], strlen(argv[5]) + 1);
    }
    return 0;
}
