// SPDX-License-Identifier: MIT
import TodayModel
import Varlink

/// What clients may use. The service's memory stays within these limits whatever they do.
package struct QueryLimits: Sendable {
    /// All connections. systemd's services allow as many: sd_varlink_server_set_connections_max(3).
    package var connections = 4096
    /// The connections of one user, so that no user shuts out the others.
    package var connectionsPerUser = 1024
    /// The connections that are reserved for root, so that an administrator can examine an overloaded daemon.
    package var connectionsForRoot = 32

    /// The longest call. Content has at most 1 MiB as the daemon writes JSON; a client may escape more characters.
    package var callBytes = 4 << 20
    /// The longest call of a client that may change nothing: a call of 4 MiB with 100,000 values takes 50 times as
    /// long.
    package var readerCallBytes = 64 << 10
    /// The longest reply. Clients, including those that use sd_varlink, read no longer one.
    package var replyBytes = MessageFramer.standardLimit
    /// The bytes of all items in one reply. Above this, the largest items come without their content.
    package var viewBytes = 12 << 20
    /// Parts of incomplete calls, of all connections together. Above this, the user that holds most loses a connection.
    package var waitingInputBytes = 64 << 20
    /// Replies that wait for slow readers, of all connections together. Above this, the user that holds most loses a connection.
    package var waitingOutputBytes = 64 << 20

    /// How many calls of one connection are answered in its turn.
    package var callsPerTurn = 64
    /// How long calls of one connection are answered in its turn; the first call is always answered.
    package var timePerTurn = TimeSpan.milliseconds(1)
    /// How long connections are answered before the loop polls for other events.
    package var timePerRound = TimeSpan.milliseconds(2)
    /// Replies are joined up to this size before they are written.
    package var gatheredBytes = 64 << 10

    /// How long `Update` waits for results. Clients give up after 45 s.
    package var updatePatience = TimeSpan.seconds(40)
    /// How long changes in progress may take when the service stops.
    package var stopPatience = TimeSpan.seconds(5)
    /// How long a connection that has not called yet may wait with its first call when the service stops.
    package var silentPatience = TimeSpan.milliseconds(500)

    package init() {}

    /// Limits for a process that may open this many descriptors. Runs and files get 256 of them. A small number lowers
    /// the limit of each user, and root keeps its share.
    package init(descriptors: Int) {
        connections = min(connections, max(64, descriptors - Self.otherDescriptors))
        connectionsPerUser = min(connectionsPerUser, connections / 4)
        connectionsForRoot = min(connectionsForRoot, connections / 8)
    }

    private static let otherDescriptors = 256
}
