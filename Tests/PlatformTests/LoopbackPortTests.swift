// SPDX-License-Identifier: MIT
import Glibc
import Platform
import Testing

@Suite struct LoopbackPortTests {
    @Test func knowsWhetherAProcessListens() {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutableBytes(of: &address) { bytes in
            let place = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
            return bind(descriptor, place, size) == 0 && listen(descriptor, 1) == 0
                && getsockname(descriptor, place, &size) == 0
        }
        #expect(isListening)
        let port = UInt16(bigEndian: address.sin_port)
        #expect(LoopbackPort.isListening(port))
        close(descriptor)
        #expect(!LoopbackPort.isListening(port))
    }
}
