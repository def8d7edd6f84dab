// SPDX-License-Identifier: MIT
import TodayModel
import Varlink

/// How much of everything clients may use. Whatever they do, the service's memory stays within these bounds.
package struct QueryLimits: Sendable {
    /// Connections in all, as many as systemd's services allow: sd_varlink_server_set_connections_max(3).
    package var connections = 4096
    /// Connections of one user, so that no user shuts out the others.
    package var connectionsPerUser = 1024
    /// Connections that are kept free for root, which may have to find out what is going on.
    package var connectionsForRoot = 32
    /// Connections that are let in in one turn though there is no room and they have nothing to say: others make room.
    package var silentPerTurn = 16

    /// The longest call. Content is at most 1 MiB as JSON, and may be escaped less tightly than we would.
    package var callBytes = 4 << 20
    /// The longest call of a client that may change nothing: a call of 4 MiB with 100,000 values takes 50 times as long.
    package var readerCallBytes = 64 << 10
    /// The longest reply: what clients read, sd_varlink's among them.
    package var replyBytes = MessageFramer.standardLimit
    /// The bytes of all items in one reply; beyond, the largest come without their content.
    package var viewBytes = 12 << 20
    /// Parts of calls that wait for the rest, of all connections together. Beyond, the user that holds most makes room.
    package var waitingInputBytes = 64 << 20
    /// Replies that wait for slow readers, of all connections together; what several wait for counts once.
    /// Beyond, the user that waits for most makes room.
    package var waitingOutputBytes = 64 << 20

    /// Calls of one connection that are answered before others get their turn.
    package var callsPerTurn = 64
    /// How long one connection's calls are answered before others get their turn, after the first.
    package var timePerTurn = TimeSpan.milliseconds(1)
    /// How long connections are answered before the loop looks for what else there is.
    package var timeForAll = TimeSpan.milliseconds(2)
    /// Replies are gathered up to this size before they are written.
    package var gatheredBytes = 64 << 10

    /// How long `Update` waits for results: clients give up after 45 s.
    package var updatePatience = TimeSpan.seconds(40)
    /// How long changes which are being made may take when the service stops.
    package var stopPatience = TimeSpan.seconds(5)
    /// How long a connection that has not called yet may do so when the service stops.
    package var newcomerPatience = TimeSpan.milliseconds(500)

    package init() {}

    /// For a process that may open so many descriptors: what is not for connections is for runs and files. Where there
    /// are few, every user gets fewer, and root's share stays free.
    package init(descriptors: Int) {
        connections = min(connections, max(64, descriptors - Self.otherDescriptors))
        connectionsPerUser = min(connectionsPerUser, connections / 4)
        connectionsForRoot = min(connectionsForRoot, connections / 8)
    }

    private static let otherDescriptors = 256
}
