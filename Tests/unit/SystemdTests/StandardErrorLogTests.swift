// SPDX-License-Identifier: MIT
import Glibc
import Systemd
import TestSupport
import Testing

@Suite struct StandardErrorLogTests {
    @Test(arguments: [
        (LogLevel.error, "disk full", "<3>disk full\n"),
        (.warning, "line one\nline two", "<4>line one\n<4>line two\n"),
        (.debug, "detail\n", "<7>detail\n"),
        (.info, "", ""),
    ])
    func theJournalGetsTheLevelOfEachLine(level: LogLevel, message: String, text: String) {
        #expect(StandardErrorLog(style: .journal).text(level, message) == text)
    }

    @Test(arguments: [
        (LogLevel.error, "disk full", "todayd: error: disk full\n"),
        (.warning, "line one\nline two", "todayd: warning: line one\ntodayd: warning: line two\n"),
        (.info, "ready", "todayd: ready\n"),
    ])
    func peopleGetTheProgramsName(level: LogLevel, message: String, text: String) {
        #expect(StandardErrorLog(style: .plain(program: "todayd")).text(level, message) == text)
    }

    @Test func onlyTheFileThatTheVariableNamesIsTheJournal() throws {
        let directory = TemporaryDirectory()
        let file = open(try directory.write("", to: "stderr"), O_WRONLY)
        defer { close(file) }
        var status = stat()
        #expect(fstat(file, &status) == 0)
        let stream = "\(status.st_dev):\(status.st_ino)"
        #expect(StandardErrorLog.isJournal(file, stream: stream))
        #expect(!StandardErrorLog.isJournal(file, stream: stream + "0"))
        #expect(!StandardErrorLog.isJournal(file, stream: "nonsense"))
        #expect(!StandardErrorLog.isJournal(file, stream: nil))
        #expect(!StandardErrorLog.isJournal(-1, stream: stream))
    }

    @Test(arguments: [(LogLevel.warning, "<4>warning\n"), (.error, ""), (.info, "<4>warning\n<6>info\n")])
    func whatIsGraveEnoughIsWritten(threshold: LogLevel, written: String) throws {
        let directory = TemporaryDirectory()
        let log = StandardErrorLog(style: .journal, threshold: threshold)
        let file = open(try directory.write("", to: "stderr"), O_WRONLY)
        let before = dup(STDERR_FILENO)
        dup2(file, STDERR_FILENO)
        log.write(.warning, "warning")
        log.write(.info, "info")
        dup2(before, STDERR_FILENO)
        for descriptor in [file, before] { close(descriptor) }
        #expect(try directory.read("stderr") == written)
    }

    @Test func levelsAreOrderedFromTheGravest() {
        #expect(LogLevel.allCases.sorted().first == .emergency)
        #expect(LogLevel.error < .warning)
        #expect(LogLevel.allCases.map(\.rawValue) == Array(0...7))
    }
}
