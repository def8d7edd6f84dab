// SPDX-License-Identifier: MIT
import Glibc
import TodayHTTP
import TodayKit

/// Reads the events of a calendar.
enum CalendarSource {
    private static let mostBytes = 32 << 20
    private static let mostFiles = 5_000

    /// - Parameter source: a URL (https or webcal), a file, or a directory of files, or of such directories, as vdirsyncer writes
    ///   them.
    static func read(_ source: String) async throws -> [ICSEvent] {
        if let scheme = source.firstIndex(of: ":"), source[scheme...].hasPrefix("://") {
            return try await fetch(source)
        }
        let home = getenv("HOME").map { String(cString: $0) } ?? ""
        let path = source.hasPrefix("~/") ? home + source.dropFirst() : source
        guard access(path, F_OK) == 0 else { throw WidgetFailure("\(source): \(String(cString: strerror(errno)))") }
        let files = isDirectory(path) ? try files(in: path, levels: 2) : [path]
        var events: [ICSEvent] = []
        for file in files {
            guard let found = ICSEvent.events(in: try contents(of: file)) else {
                throw WidgetFailure("\(file) is not a calendar: it has no BEGIN:VCALENDAR")
            }
            events += found
        }
        return events
    }

    private static func fetch(_ source: String) async throws -> [ICSEvent] {
        let url = source.hasPrefix("webcal://") ? "https://\(source.dropFirst(9))" : source
        var request = HTTPServer.request(for: url, insteadBy: "CALENDAR_SERVER")
        request.sizeLimit = mostBytes
        request.headers.append("Accept", "text/calendar")
        guard let events = ICSEvent.events(in: try await request.send().body) else {
            request.cache?.forget(request.url)
            // A secret address must not appear on a card.
            let host = url.split(separator: "/").dropFirst().first ?? "the server"
            throw WidgetFailure("the answer of \(host) is not a calendar")
        }
        return events
    }

    private static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The files of a directory, and of those in it, in their order.
    private static func files(in directory: String, levels: Int) throws -> [String] {
        guard let stream = opendir(directory) else {
            throw WidgetFailure("\(directory): \(String(cString: strerror(errno)))")
        }
        defer { closedir(stream) }
        var found: [String] = []
        while let entry = readdir(stream), found.count < mostFiles {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            let path = "\(directory)/\(name)"
            if name.hasPrefix(".") { continue }
            if name.hasSuffix(".ics") {
                found.append(path)
            } else if levels > 1, isDirectory(path) {
                found += try files(in: path, levels: levels - 1)
            }
        }
        return found.sorted()
    }

    private static func contents(of path: String) throws -> [UInt8] {
        guard let file = fopen(path, "r") else { throw WidgetFailure("\(path): \(String(cString: strerror(errno)))") }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { return bytes }
            bytes += buffer[..<count]
            if bytes.count > mostBytes { throw WidgetFailure("\(path) has more than \(mostBytes >> 20) MiB") }
        }
    }
}
