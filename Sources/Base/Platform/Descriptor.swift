// SPDX-License-Identifier: MIT
import CLinux
import Glibc

/// Reading all bytes from a descriptor and writing all to one, in as many calls as that needs.
package enum Descriptor {
    /// Reads to the end, or until more than so many bytes have come. Files of /proc have no size: only their end is known.
    ///
    /// - Returns: nil after an error, which errno has.
    package static func readAll(_ descriptor: Int32, upTo most: Int = .max) -> [UInt8]? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= most {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        return bytes
    }

    /// Reads once.
    ///
    /// - Returns: the bytes, none at the end; and the error number, 0 without an error.
    package static func readOnce(_ descriptor: Int32, upTo most: Int) -> (bytes: [UInt8], code: Int32) {
        var code: Int32 = 0
        // The buffer is exactly as long as read(2) is told, and what is read of it is initialized.
        let bytes = [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
            let result = read(descriptor, buffer.baseAddress, most)
            if result < 0 { code = errno }
            count = max(0, result)
        }
        return (bytes, code)
    }

    /// Reads a whole file.
    ///
    /// - Returns: nil if it cannot be opened or read.
    package static func contents(of path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return readAll(descriptor)
    }

    /// Waits until there is room in a non-blocking descriptor that is full.
    ///
    /// - Returns: false after an error, which errno has.
    package static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        repeating(bytes, descriptor) { write(descriptor, $0.baseAddress, $0.count) }
    }

    /// Writes to a socket, as `writeAll` does. A closed connection is the error EPIPE: without MSG_NOSIGNAL the kernel would
    /// send SIGPIPE, which ends the process (send(2)).
    package static func sendAll(_ bytes: [UInt8], to socket: Int32) -> Bool {
        repeating(bytes, socket) { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    /// Waits until one of poll(2)'s events happens.
    package static func wait(for events: Int32, on descriptor: Int32) {
        var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        _ = poll(&entry, 1, -1)
    }

    private static func repeating(
        _ bytes: [UInt8], _ descriptor: Int32, _ writeSome: (UnsafeRawBufferPointer) -> Int
    ) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            // Unsafe: the pointer is used within the closure.
            let count = rest.withUnsafeBytes(writeSome)
            if count < 0, errno == EAGAIN {
                wait(for: POLLOUT, on: descriptor)
            } else if count < 0, errno != EINTR {
                return false
            }
            rest = rest.dropFirst(max(count, 0))
        }
        return true
    }
}

/// Which file it is: the device and the inode number, which no two files have at the same time (inode(7)).
package struct FileIdentity: Hashable, Sendable {
    package let device: dev_t
    package let inode: ino_t

    package init(_ status: stat) { (device, inode) = (status.st_dev, status.st_ino) }

    /// The file that a path leads to; nil if there is none.
    package init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The file at a path, which may be a symbolic link itself; nil if there is none.
    package init?(ofLink path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The file behind a descriptor; nil if the descriptor is not open.
    package init?(of descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }
}

/// The first bytes that a program and those which it starts print, in memory. It is not a pipe: a program that stays, such as a
/// browser, goes on without a signal when it prints more than that, or when this process has ended.
package final class CollectedOutput {
    package static let capacity = 65_536

    /// For the program to write to.
    package let descriptor: Int32

    /// Nil if the system has no memory or no descriptor left.
    package init?() {
        descriptor = clinux_fixed_file(Self.capacity)
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    /// What has been printed so far. The program shares the offset of the file with this process: open(2).
    package var bytes: [UInt8] {
        let end = lseek(descriptor, 0, SEEK_CUR)
        return [UInt8](unsafeUninitializedCapacity: max(0, min(Int(end), Self.capacity))) { buffer, count in
            count = max(0, pread(descriptor, buffer.baseAddress, buffer.count, 0))
        }
    }
}
