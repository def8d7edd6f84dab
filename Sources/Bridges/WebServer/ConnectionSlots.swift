// SPDX-License-Identifier: MIT
import Glibc
import Platform
import Reactor
import WebPage

/// The places for connections and streams of all servers of a program: which peer holds them, and for how long. Descriptors
/// belong to the process, so one ledger serves all servers.
@LoopActor
package final class ConnectionSlots {
    let limits: WebServer.Limits
    private var ledger: ConnectionLedger
    private var streams: Shares
    private var patrol: TimerSource?

    package init(_ limits: WebServer.Limits = WebServer.Limits()) throws(ReactorError) {
        self.limits = limits
        streams = Shares(limits.streams, owners: limits.owners)
        ledger = ConnectionLedger(
            limits.times, mostConnections: limits.connections - limits.connections / 16, mostStrangers: limits.strangers
        )
        patrol = try TimerSource(.monotonic) { [weak self] in self?.endOverdue() }
    }

    private var now: Int64 { SystemClock.monotonic.microseconds }

    // MARK: Connections

    func began(_ descriptor: Int32, by peer: Peer) {
        let isKnown = limits.users != nil || peer.isOne(of: limits.owners)
        if let idle = ledger.began(descriptor, by: peer, isKnown: isKnown, at: now) {
            end(idle)
        } else if ledger.count > limits.connections {
            // No connection waits for a request. The library counts the connections of one server only.
            ledger.ended(descriptor)
            end(descriptor)
        }
        armPatrol()
    }

    func note(_ state: ConnectionLedger.State, on descriptor: Int32) {
        ledger.note(state, on: descriptor, at: now)
        armPatrol()
    }

    func trust(_ descriptor: Int32) { ledger.trust(descriptor) }

    func ended(_ descriptor: Int32) { ledger.ended(descriptor) }

    private func endOverdue() {
        for descriptor in ledger.overdue(at: now) { end(descriptor) }
        armPatrol()
    }

    /// The library waits for the socket, so it notices the end and closes it.
    private func end(_ descriptor: Int32) { shutdown(descriptor, Int32(SHUT_RDWR)) }

    private func armPatrol() {
        if let next = ledger.nextDeadline { patrol?.arm(at: next) } else { patrol?.disarm() }
    }

    // MARK: Streams

    /// After a client has closed its end, its user is unknown, so a user could get more than a share that way.
    func hasRoomForStream(of peer: Peer) -> Bool { peer != .someone && streams.hasRoom(for: peer) }

    func streamBegan(_ peer: Peer, on descriptor: Int32) {
        streams.take(peer)
        ledger.note(.streaming, on: descriptor, at: now)
    }

    func streamEnded(of peer: Peer) { streams.release(peer) }
}
