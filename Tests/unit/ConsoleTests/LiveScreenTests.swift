// SPDX-License-Identifier: MIT

import ClientTestSupport
import Glibc
import JSON
import Platform
import TestSupport
import Testing
import Varlink

@testable import Commands
@testable import Console
@testable import Link

/// Whether pseudo-terminals can be made; a bare chroot has none.
private let hasTerminals: Bool = {
    let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    if master >= 0 { close(master) }
    return master >= 0
}()

@Suite(.enabled(if: hasTerminals, "/dev/ptmx does not open"))
struct LiveScreenTests {
    private static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
    private static let leave = "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

    @Test func viewIsDrawnAndTheTerminalRestored() throws {
        let program = Program()
        program.serve([
            "Show": [
                VarlinkReply(["items": [Wire.item("org.a.b", text: "one")], "removed": []], continues: true),
                VarlinkReply(["items": [Wire.item("org.a.b", text: "two")], "removed": []], continues: false),
            ]
        ])
        let (code, screen) = try run(program, rows: 24)
        #expect(code == 0)
        #expect(screen.hasPrefix(Self.enter) && screen.hasSuffix(Self.leave))
        #expect(screen.contains("two"))
    }

    @Test func liveViewIsSortedAndSaysWhatIsEdited() throws {
        let program = Program()
        let first = Wire.item("org.a.first", position: 0)
        let edited = Wire.item("org.a.edited", position: 1, change: ["editing": true]) {
            $0["relevance"] = ["score": 0]
        }
        program.serve([
            "Show": [
                VarlinkReply(["items": [first], "removed": []], continues: true),
                VarlinkReply(["items": [edited], "removed": []], continues: false),
            ]
        ])
        let (code, screen) = try run(program, rows: 24, ["watch", "--sort=relevance"])
        #expect(code == 0)
        // The last time that the first row is written.
        let picture = screen[(screen.ranges(of: "\u{1B}[1H").last?.upperBound ?? screen.startIndex)...]
        let top = try #require(picture.firstRange(of: "org.a.edited\u{1B}[0m\u{1B}[36m [editing]"))
        let below = try #require(picture.firstRange(of: "org.a.first"))
        #expect(top.lowerBound < below.lowerBound)
    }

    @Test func theLastLineCountsHiddenLines() throws {
        let program = Program()
        serveThirtyItems(program)
        let (_, screen) = try run(program, rows: 5)
        let last = try #require(screen.ranges(of: "\u{1B}[5H").last)
        #expect(screen[last.upperBound...].contains("+ 26 more lines; 'todayctl show --all' prints them"))
    }

    @Test func theCommandForAllLinesNamesTheSameWidget() throws {
        let program = Program()
        let item = Wire.item("org.a.w1") { $0["compact"] = .array((0..<20).map { .string("\($0)") }) }
        program.serve(["Show": [VarlinkReply(["items": [item], "removed": []])]])
        let (_, screen) = try run(program, rows: 5, ["watch", "org.a.w1"])
        #expect(screen.contains("more lines; 'todayctl show org.a.w1' prints them"))
    }

    @Test(arguments: [
        (["--point", "lock-screen"], "+ 26 more lines: todayctl show --point lock-screen --all"),
        (["--sort", "relevance"], "+ 26 more lines; 'todayctl show --all' prints them"),
    ])
    func theCommandForAllLinesHasTheSamePoint(options: [String], line: String) throws {
        let program = Program()
        serveThirtyItems(program)
        let (_, screen) = try run(program, rows: 5, ["watch"] + options)
        #expect(screen.contains(line))
    }

    @Test func aTerminalOfUnknownHeightIsDrawnOn() throws {
        let program = Program()
        serveThirtyItems(program)
        let (code, screen) = try run(program, rows: 0)
        #expect(code == 0)
        #expect(screen.hasSuffix(Self.leave))
        #expect(screen.contains("more lines"))
    }

    @Test func errorLeavesTheTerminalAsItWas() throws {
        let program = Program()
        // One answer for each connection: todayctl asks for the status over a second one while the first is open.
        program.serve(connections: 2) { peer in
            let status = VarlinkReply(["daemon": ["complaints": []], "widgets": []])
            guard let call = peer.receive() else { return }
            peer.send(call.memberName == "Status" ? status : VarlinkReply(Wire.noSuchWidget("x")))
        }
        let (code, screen) = try run(program, rows: 24, ["watch", "x"])
        #expect(code == ExitCode.noSuchWidget.rawValue)
        #expect(screen.isEmpty || screen.hasSuffix(Self.leave))
    }

    /// Whatever a program has left, read(2) waits for one byte, and the guardian knows the modes again.
    @Test func oneByteIsEnoughForTheKeys() {
        var left = termios()
        withUnsafeMutableBytes(of: &left.c_cc) { ($0[Int(VMIN)], $0[Int(VTIME)]) = (0, 5) }
        let modes = TerminalModes.forKeys(left)
        let (least, time) = withUnsafeBytes(of: modes.c_cc) { ($0[Int(VMIN)], $0[Int(VTIME)]) }
        #expect(least == 1 && time == 0)
        var other = modes
        withUnsafeMutableBytes(of: &other.c_cc) { $0[Int(VMIN)] = 0 }
        #expect(modes.isSame(as: TerminalModes.forKeys(other)) && !modes.isSame(as: other))
    }

    @Test func anUnchangedValueIsCleanedOnATerminal() throws {
        let program = Program()
        let value: JSON = ["value": "one\u{1B}]0;x\u{7}\ntwo\u{202E}"]
        program.serve(["GetDefaults": [VarlinkReply(["values": ["k": value]])]])
        let (_, screen) = try run(program, rows: 24, ["config", "--group", "group.a", "k"])
        #expect(screen.hasPrefix("one\u{FFFD}]0;x\u{FFFD}\ntwo"))
        #expect(!screen.contains("\u{202E}"))
    }

    private func serveThirtyItems(_ program: Program) {
        let items = (0..<30).map { Wire.item("org.a.w\($0)", position: $0) }
        program.serve(["Show": [VarlinkReply(["items": .array(items), "removed": []])]])
    }

    /// Runs todayctl with a pseudo-terminal (pty(7)) as its standard output, and returns what it wrote there.
    private func run(
        _ program: Program, rows: UInt16, _ arguments: [String] = ["watch"]
    ) throws -> (code: Int32, screen: String) {
        let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(master >= 0)
        defer { close(master) }
        // TIOCSPTLCK and TIOCGPTN of ioctl_tty(2), which Swift does not import, unlock the other end and return its number.
        var (isLocked, number): (Int32, Int32) = (0, 0)
        try #require(ioctl(master, 0x4004_5431, &isLocked) == 0 && ioctl(master, 0x8004_5430, &number) == 0)
        let name = "/dev/pts/\(number)"
        let slave = open(name, O_RDWR | O_NOCTTY)
        try #require(slave >= 0)
        var size = winsize(ws_row: rows, ws_col: 60, ws_xpixel: 0, ws_ypixel: 0)
        try #require(ioctl(slave, UInt(TIOCSWINSZ), &size) == 0)
        // Without OPOST the terminal adds no carriage returns.
        var settings = termios()
        tcgetattr(slave, &settings)
        settings.c_oflag &= ~tcflag_t(OPOST)
        tcsetattr(slave, TCSANOW, &settings)

        let variables = ["LANG": "C.UTF-8", "TERM": "xterm"]
        let errors = open("/dev/null", O_WRONLY)
        defer { close(errors) }
        // A terminal that the tests run in has no part in them.
        let code = StandardInput.empty {
            TodayControl.run(
                ["--socket", program.socket] + arguments, environment: EnvironmentVariables { variables[$0] },
                output: slave, errors: errors)
        }
        close(slave)
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        // read(2) fails with EIO after the last byte, because the other end is closed.
        while case let count = read(master, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
        return (code, String(decoding: bytes, as: UTF8.self))
    }
}
