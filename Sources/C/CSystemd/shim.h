/* SPDX-License-Identifier: MIT
 * libsystemd: event loop, bus client, readiness and passed sockets. Nothing here needs a wrapper yet: the functions
 * we call take no variable arguments. */
#pragma once
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>
#include <systemd/sd-id128.h>
