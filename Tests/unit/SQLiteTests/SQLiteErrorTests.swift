// SPDX-License-Identifier: MIT
import Glibc
import SQLite
import Testing

/// How SQLite's codes are told apart.
struct SQLiteErrorTests {
    static let table: [(code: Int32, systemError: Int32, condition: String)] = [
        (13, 0, "full"), (778, ENOSPC, "full"), (778, EDQUOT, "full"), (778, EFBIG, "full"), (778, EIO, ""),
        (11, 0, "corrupt"), (26, 0, "corrupt"), (267, 0, "corrupt"),
        (8, 0, "read-only"), (1544, 0, "read-only"), (14, EROFS, "read-only"), (14, EACCES, "read-only"),
        (14, ENOENT, ""), (5, 0, "busy"), (1299, 0, "constraint"), (1, 0, "mistake"), (7, 0, ""),
    ]

    @Test(arguments: table)
    func codesBecomeConditions(_ row: (code: Int32, systemError: Int32, condition: String)) {
        let error = SQLiteError(extendedCode: row.code, message: "…", systemError: row.systemError)
        #expect(error.isFull == (row.condition == "full"))
        #expect(error.isCorrupt == (row.condition == "corrupt"))
        #expect(error.isReadOnly == (row.condition == "read-only"))
        #expect(error.isBusy == (row.condition == "busy"))
        #expect(error.isConstraint == (row.condition == "constraint"))
    }

    @Test func theSystemsReasonIsSaid() {
        let error = SQLiteError(extendedCode: 778, message: "disk I/O error", sql: "COMMIT", systemError: EIO)
        #expect("\(error)" == "disk I/O error (Input/output error), in COMMIT")
    }
}
