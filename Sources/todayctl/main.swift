// SPDX-License-Identifier: MIT
import TodayClient
