// SPDX-License-Identifier: MIT
import TodayDaemon
