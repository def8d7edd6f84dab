/* SPDX-License-Identifier: MIT */
#include "CLinux.h"
