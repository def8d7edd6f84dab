/* SPDX-License-Identifier: MIT
 * libmicrohttpd, and the things of it that Swift cannot import by itself: functions with variable arguments, and macros with
 * casts. */
#pragma once
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <microhttpd.h>

#if MHD_VERSION < 0x00097500
#error "WebServer needs libmicrohttpd 0.9.75 or later"
#endif

/* The words of the library that Swift imports under other names from one version to the next. */
static const enum MHD_Result cmhd_yes = MHD_YES;
static const enum MHD_Result cmhd_no = MHD_NO;
static const enum MHD_ValueKind cmhd_headers = MHD_HEADER_KIND;
static const enum MHD_ValueKind cmhd_query = MHD_GET_ARGUMENT_KIND;

/* Whether the library itself refuses lines that end by a line feed alone, and lines that continue others. It does so from 1.0 on,
 * where it is told to be strict. Before, a strict library answers a request without Host twice. */
static const int cmhd_is_strict = MHD_VERSION >= 0x01000000;

static inline int cmhd_is_start(enum MHD_ConnectionNotificationCode code) { return code == MHD_CONNECTION_NOTIFY_STARTED; }

/* What a server does for its connections; all are called from MHD_run(3). */
struct cmhd_handlers {
    /* Whether a connection is let in; otherwise it is closed before the library has anything of it. */
    MHD_AcceptPolicyCallback accept;
    /* The target of a request, before percent signs are decoded. Its result is the first context of the request. */
    void *(*target)(void *context, const char *target, struct MHD_Connection *connection);
    MHD_AccessHandlerCallback request;
    MHD_RequestCompletedCallback completed;
    MHD_NotifyConnectionCallback connection;
    void *context;
};

struct cmhd_limits {
    unsigned connections;
    /* Seconds without a byte in either direction. */
    unsigned silence;
    /* Bytes for the headers of a request and of its answer. */
    size_t memory;
};

/* Serves a socket that listens already, from one epoll descriptor and without a thread: the caller watches the descriptor and
 * calls MHD_run(3). The library closes the socket. */
static inline struct MHD_Daemon *cmhd_start(
    int listener, const struct cmhd_handlers *handlers, const struct cmhd_limits *limits) {
    return MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, handlers->accept, handlers->context, handlers->request,
        handlers->context,
        MHD_OPTION_LISTEN_SOCKET, listener,
        MHD_OPTION_CONNECTION_LIMIT, limits->connections,
        MHD_OPTION_CONNECTION_TIMEOUT, limits->silence,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits->memory,
        MHD_OPTION_STRICT_FOR_CLIENT, cmhd_is_strict,
        MHD_OPTION_URI_LOG_CALLBACK, handlers->target, handlers->context,
        MHD_OPTION_NOTIFY_COMPLETED, handlers->completed, handlers->context,
        MHD_OPTION_NOTIFY_CONNECTION, handlers->connection, handlers->context,
        MHD_OPTION_END);
}

/* The descriptor to watch; -1 where there is none. */
static inline int cmhd_epoll_descriptor(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info ? info->epoll_fd : -1;
}

/* The socket of a connection; -1 where there is none. */
static inline int cmhd_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

/* The bytes of the head of a request, from its method to its empty line. */
static inline size_t cmhd_head_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}

/* A response with a copy of the bytes. */
static inline struct MHD_Response *cmhd_response(size_t size, const void *bytes) {
    return MHD_create_response_from_buffer(size, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

/* A response without a length, whose bytes a function gives piece by piece. */
static inline struct MHD_Response *cmhd_stream(
    size_t block, MHD_ContentReaderCallback reader, void *context, MHD_ContentReaderFreeCallback free_context) {
    return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, block, reader, context, free_context);
}

static const ssize_t cmhd_end_of_stream = MHD_CONTENT_READER_END_OF_STREAM;
