// SPDX-License-Identifier: MIT
import Testing

@testable import Registry

@Suite struct ProgramHeadTests {
    /// The beginning of a file, what is said of it, and the column. `/bin/sh` and `env` exist, and `python3` in PATH.
    static let heads: [(head: String, words: String?, column: Int)] = [
        ("#!/bin/sh\n", nil, 0), ("#! /bin/sh -e\necho", nil, 0), ("#!/bin/sh", nil, 0),
        ("#!/usr/bin/env python3\n", nil, 0), ("#!/usr/bin/env -S python3 -u\n", nil, 0),
        ("\u{7f}ELF\u{2}", nil, 0),
        ("", "is empty: there is nothing to run", 1),
        ("echo hi\n", "has no interpreter: begin the first line with #!, as in #!/bin/sh", 1),
        ("PK\u{0}\u{1}", "is neither a script nor an ELF program: the kernel may refuse it", 1),
        ("#!/bin/sh\r\n", "line 1 ends with a carriage return", 10),
        ("#!\n", "names no interpreter after #!", 3),
        ("#!sh\n", "sh: write the interpreter's whole path", 3),
        ("#! /bin/no-such\n", "its interpreter /bin/no-such does not exist", 4),
        ("#!/usr/bin/env pyhton3\n", "its interpreter pyhton3 is in none of the directories of PATH", 3),
    ]

    @Test(arguments: heads) func theFirstLineSaysWhatTheKernelDoes(head: String, words: String?, column: Int) {
        let trouble = ProgramHead(Array(head.utf8)).trouble(
            whyNotExecutable: { ["/bin/sh", "/usr/bin/env"].contains($0) ? nil : "does not exist" },
            exists: { $0 == "python3" })
        guard let words else {
            #expect(trouble == nil)
            return
        }
        #expect(trouble?.reason.hasPrefix(words) == true, "\(String(describing: trouble))")
        #expect(trouble?.column == column)
    }

    @Test func onlyABinaryThatIsNoELFMayStillRun() {
        #expect(ProgramHead([0, 1]).trouble { _ in true }?.isCertain == false)
        #expect(ProgramHead(Array("x".utf8)).trouble { _ in true }?.isCertain == true)
    }
}
