// SPDX-License-Identifier: MIT
import Glibc
import Platform
import Reactor
import WebPage

/// The places for connections and streams of all servers of a program: which peer has them, and for how long. Descriptors are of the
/// process, so that one ledger has those of all servers.
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
            // None waits for a request. The library counts the connections of one server only.
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

    /// The library notices the end, because it waits for the socket, and closes it.
    private func end(_ descriptor: Int32) { shutdown(descriptor, Int32(SHUT_RDWR)) }

    private func armPatrol() {
        if let next = ledger.nextDeadline { patrol?.arm(at: next) } else { patrol?.disarm() }
    }

    // MARK: Streams

    /// A client that has closed its end looks like one of any user, so that a user could have more than a share by it.
    func hasRoomForStream(of peer: Peer) -> Bool { peer != .someone && streams.hasRoom(for: peer) }

    func streamBegan(_ peer: Peer, on descriptor: Int32) {
        streams.take(peer)
        ledger.note(.streaming, on: descriptor, at: now)
    }

    func streamEnded(of peer: Peer) { streams.release(peer) }
}
