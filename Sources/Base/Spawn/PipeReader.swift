// SPDX-License-Identifier: MIT
import Glibc
import Reactor

/// Reads a pipe while bytes arrive, and closes it at the end of the file.
@LoopActor
package final class PipeReader {
    /// The default capacity of a pipe (pipe(7)), so that one read empties it.
    private static let chunk = 65_536
    /// Shared, because all readers run on one loop and none keeps the bytes.
    private static var buffer = [UInt8](repeating: 0, count: chunk)

    private var descriptor: OwnedDescriptor?
    private var source: IOSource?
    private let onBytes: @LoopActor (ArraySlice<UInt8>) -> Void
    private let onEnd: @LoopActor () -> Void

    /// The descriptor must be non-blocking. Reading begins with `watch` or `drain`. `onEnd` is called at the end of the
    /// file, but not after `close`.
    package init(
        _ descriptor: OwnedDescriptor, onBytes: @escaping @LoopActor (ArraySlice<UInt8>) -> Void,
        onEnd: @escaping @LoopActor () -> Void
    ) {
        self.descriptor = descriptor
        self.onBytes = onBytes
        self.onEnd = onEnd
    }

    /// Reads whenever the pipe is readable.
    package func watch() throws(ReactorError) {
        guard let descriptor, source == nil else { return }
        source = try IOSource(owning: descriptor, events: .readable) { [weak self] _ in self?.read(atMost: 4) }
    }

    /// Reads at once, without waiting for the loop. A process may write as fast as this reads, so it stops after 1 MiB,
    /// the largest capacity of a pipe (/proc/sys/fs/pipe-max-size in pipe(7)).
    package func drain() { read(atMost: 16) }

    /// Reads at once what one round of the loop would read.
    package func readOnce() { read(atMost: 4) }

    /// Stops watching until `resume`. A program that fills the pipe meanwhile waits in write(2).
    package func pause() { source?.events = [] }

    package func resume() { source?.events = .readable }

    /// Closes the pipe. Its writers then get SIGPIPE.
    package func close() {
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
