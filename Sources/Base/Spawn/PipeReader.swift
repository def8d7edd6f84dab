// SPDX-License-Identifier: MIT
import Glibc
import Reactor

/// Reads what comes out of a pipe as it comes, and closes it at its end.
@LoopActor
package final class PipeReader {
    /// What the pipe of another process can hold at most by default, so that one turn empties it.
    private static let chunk = 65_536
    /// All readers are on the one loop and none keeps the bytes.
    private static var buffer = [UInt8](repeating: 0, count: chunk)

    private var descriptor: OwnedDescriptor?
    private var source: IOSource?
    private let onBytes: @LoopActor (ArraySlice<UInt8>) -> Void
    private let onEnd: @LoopActor () -> Void

    /// The descriptor must not block. Nothing is read before `watch` or `drain`. `onEnd` is called at the end of the
    /// file, never after `close`.
    package init(
        _ descriptor: OwnedDescriptor, onBytes: @escaping @LoopActor (ArraySlice<UInt8>) -> Void,
        onEnd: @escaping @LoopActor () -> Void
    ) {
        self.descriptor = descriptor
        self.onBytes = onBytes
        self.onEnd = onEnd
    }

    /// Reads from now on whenever there is something.
    package func watch() throws(ReactorError) {
        guard let descriptor, source == nil else { return }
        source = try IOSource(owning: descriptor, events: .readable) { [weak self] _ in self?.read(atMost: 4) }
    }

    /// Reads at once what is there, not waiting for the loop to say so. Somebody may write as fast as this reads, so
    /// it stops after as much as a pipe can hold (1 MiB, /proc/sys/fs/pipe-max-size in pipe(7)).
    package func drain() { read(atMost: 16) }

    /// The writers get SIGPIPE from now on.
    package func close() {
        source?.cancel()
        source = nil
        descriptor = nil
    }

    private func read(atMost rounds: Int) {
        for _ in 0..<rounds {
            guard let descriptor else { return }
            let count = Glibc.read(descriptor.number, &Self.buffer, Self.chunk)
            if count > 0 {
                onBytes(Self.buffer[..<count])
            } else if count < 0 && (errno == EAGAIN || errno == EINTR) {
                return
            } else {
                close()
                onEnd()
                return
            }
        }
    }
}
