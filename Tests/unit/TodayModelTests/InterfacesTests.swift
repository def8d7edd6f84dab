// SPDX-License-Identifier: MIT
import Testing
import TodayModel
import VarlinkInterface

@Suite struct InterfacesTests {
    @Test(
        arguments: [
            ("Today", Interfaces.today), ("Widget", Interfaces.widget),
            ("ExtensionContext", Interfaces.extensionContext),
        ])
    func theTextIsAnInterface(name: String, text: String) {
        #expect(InterfaceDescription(constant: text).name == "org.todayd.\(name)")
    }
}
