// SPDX-License-Identifier: MIT

/// Connections that have not called yet, in the order in which they came. At a limit the first makes room; to find it costs
/// no more among thousands than among two.
///
/// A connection that calls or closes stays in line until it is met there, or until half of the line is such.
struct SilentLine {
    /// What becomes of a connection that is met.
    enum Finding {
        /// It has nothing to say: it makes room.
        case silent
        /// It has something to say that is not read yet; it is met again after the others.
        case speaking
        /// It has called, or is closed.
        case gone
    }

    /// Of a crowd that all have something to say, so many are met at a time.
    static let mostSpeaking = 32

    private var line = Line<UInt64>()
    /// How long the line may become before those that have gone are taken out.
    private var room = 64

    var count: Int { line.count }

    /// - Parameter isSilent: whether a connection still belongs in line.
    mutating func append(_ key: UInt64, isSilent: (UInt64) -> Bool) {
        if line.count >= room {
            line.keep(where: isSilent)
            room = max(64, 2 * line.count)
        }
        line.append(key)
    }

    /// The connection that has been silent longest; nil when none was met.
    mutating func next(_ look: (UInt64) -> Finding) -> UInt64? {
        var speaking = 0
        while speaking < Self.mostSpeaking, let key = line.next() {
            switch look(key) {
            case .silent: return key
            case .gone: break
            case .speaking:
                line.append(key)
                speaking += 1
            }
        }
        return nil
    }
}
