// SPDX-License-Identifier: MIT
import Formats
import Testing

@Suite struct ErrorOutputTests {
    /// What interpreters print, and the line of it that says why.
    private static let traces: [(errors: String, reason: String)] = [
        (
            """
            node:fs:573
              return binding.open(
                             ^

            Error: ENOENT: no such file or directory, open '/x'
                at Object.openSync (node:fs:573:18)
                at node:internal/main/run_main_module:28:49 {
              errno: -2,
              answer: {
                status: 404
              },
              path: '/x'
            }

            Node.js v20.20.2
            """, "Error: ENOENT: no such file or directory, open '/x'"
        ),
        (
            """
            TypeError: no answer
                at f (/a.js:1:21)
                at async main (/a.js:2:1)

            Node.js v20.20.2
            """, "TypeError: no answer"
        ),
        (
            """
            throw "words"
            ^
            words
            (Use `node --trace-uncaught ...` to show where the exception was thrown)

            Node.js v20.20.2
            """, "words"
        ),
        (
            """
            Exception in thread "main" java.lang.RuntimeException: outer
            	at M.main(M.java:1)
            Caused by: java.lang.IllegalStateException: inner
            	at M.g(M.java:1)
            	... 1 more
            """, "Caused by: java.lang.IllegalStateException: inner"
        ),
        (
            """
            thread 'main' panicked at r.rs:1:54:
            index out of bounds
            note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
            """, "index out of bounds"
        ),
        ("panicked\nout of bounds\nstack backtrace:\n   0: begin\n   5: r::main\nnote: details", "out of bounds"),
        ("panic: no host\n\ngoroutine 1 [running]:\nmain.main()\n\t/x.go:4 +0x18\nexit status 2", "panic: no host"),
        ("lua: x.lua:1: no host\nstack traceback:\n\t[C]: in function 'error'\n\t[C]: in ?", "lua: x.lua:1: no host"),
        ("x.rb:1:in 'f': no host (RuntimeError)\n\tfrom x.rb:3:in '<main>'", "x.rb:1:in 'f': no host (RuntimeError)"),
        ("bad at x.pl line 1.\n\tmain::f(1) called at x.pl line 9", "bad at x.pl line 1."),
        ("no device\n at x.pl line 253.", "no device"),
        ("no host\n\nrefused at P.pm line 50.\n at x line 131.", "refused at P.pm line 50."),
        ("PHP Fatal error:  Uncaught E: x\nStack trace:\n#0 {main}\n  thrown in x", "PHP Fatal error:  Uncaught E: x"),
        (
            "Can't locate A.pm in @INC at x line 1.\nBEGIN failed--compilation aborted at x line 1.",
            "Can't locate A.pm in @INC at x line 1."
        ),
        (
            "syntax error at A.pm line 1\nCompilation failed in require at x line 1.\nBEGIN failed--compilation aborted at x line 1.",
            "syntax error at A.pm line 1"
        ),
        // Without a trace at the end, the last line counts.
        ("Error: a\n    at f (/a.js:1:21)\ngiven up", "given up"), ("no host: {\n  a: {\n  }\n}", "no host: {"),
        ("}", "}"),
        ("needs\n  at least one", "at least one"),
        ("    at f (/a.js:1:21)", "at f (/a.js:1:21)"), (" at x.pl line 1.", "at x.pl line 1."),
        ("a\n at once", "at once"),
        ("no goroutine 1\ngoroutine 1 is stuck", "goroutine 1 is stuck"),
    ]

    @Test(arguments: traces.indices) func theReasonIsAboveTheTrace(index: Int) {
        #expect(ErrorOutput.reason(in: Self.traces[index].errors) == Self.traces[index].reason)
    }

    /// What programs print when their arguments are wrong, and the line of it that says so.
    private static let usages: [(errors: String, reason: String)] = [
        (
            "date: unrecognized option '--foo'\nTry 'date --help' for more information.",
            "date: unrecognized option '--foo'"
        ),
        (
            "curl: option --foo: is unknown\ncurl: try 'curl --help' for more information",
            "curl: option --foo: is unknown"
        ),
        (
            "unknown option --foo\nusage: python3 [option] ...\nTry `python -h' for more information.",
            "unknown option --foo"
        ),
        (
            "wget: missing URL\nUsage: wget [OPTION]... [URL]...\n\nTry `wget --help' for more options.",
            "wget: missing URL"
        ),
        ("error: no value\n\nUsage: x --a <A>\n\nFor more information, try '--help'.", "error: no value"),
        (
            "free: invalid option -- 'q'\n\nUsage:\n free [options]\n\nFor more details see free(1).",
            "free: invalid option -- 'q'"
        ),
        ("flag provided but not defined: -x\nUsage of go:\n  -h int\n    \thours", "flag provided but not defined: -x"),
        // The complaint of Python's argparse and click is below the usage.
        (
            "usage: x [-h]\n         [--a A]\nx: error: unrecognized arguments: --foo",
            "x: error: unrecognized arguments: --foo"
        ),
        (
            "Usage: x [OPTIONS]\nTry 'x --help' for help.\n\nError: No such option: --foo",
            "Error: No such option: --foo"
        ),
        // So is what fails later.
        ("date: bad\nUsage: date [-u]\n  -u  UTC\nno host", "no host"),
        // Without a complaint, the usage is the reason.
        ("Usage: x [options] HOST\n  -v, --verbose  be verbose\n  -h, --help  this text", "Usage: x [options] HOST"),
        ("\nusage:\n    x HOST\n\n    -v  be verbose", "x HOST"),
        (" \nusage: x HOST\n  -v  be verbose", "usage: x HOST"),
        ("usage: a\n  -v\nno host\nusage: b\n  -v", "no host"),
        ("Usage:", "Usage:"), ("Try 'x --help'.", "Try 'x --help'."), ("x:\n", "x:"),
        // No pointers to help.
        ("a\ntry again", "try again"), ("a\nhelp: no such topic", "help: no such topic"),
        ("try: 1\nretry -h", "retry -h"),
    ]

    @Test(arguments: usages.indices) func theReasonIsAboveTheUsage(index: Int) {
        #expect(ErrorOutput.reason(in: Self.usages[index].errors) == Self.usages[index].reason)
    }
}
