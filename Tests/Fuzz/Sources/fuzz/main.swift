// SPDX-License-Identifier: MIT
import Glibc

/// libFuzzer's own main, as a function (llvm.org/docs/LibFuzzer.html, "Using libFuzzer as a library").
@_silgen_name("LLVMFuzzerRunDriver")
func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

nonisolated(unsafe) var parser: Parser = .json

guard CommandLine.arguments.count > 1, let chosen = Parser(rawValue: CommandLine.arguments[1]) else {
    let names = Parser.allCases.map(\.rawValue).joined(separator: " ")
    print("usage: fuzz TARGET [OPTION OF LIBFUZZER...] [CORPUS...]\ntargets: \(names)")
    exit(2)
}
parser = chosen
var arguments = CommandLine.arguments.filter { $0 != chosen.rawValue }.map { strdup($0) } + [nil]
var count = CInt(arguments.count - 1)
let status = arguments.withUnsafeMutableBufferPointer { buffer -> CInt in
    guard var base = buffer.baseAddress else { return 2 }
    return withUnsafeMutablePointer(to: &count) { count in
        withUnsafeMutablePointer(to: &base) { base in
            runDriver(count, base) { bytes, size in
                parser.read(Array(UnsafeBufferPointer(start: bytes, count: size)))
                return 0
            }
        }
    }
}
exit(status)
