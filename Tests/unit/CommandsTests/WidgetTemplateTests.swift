// SPDX-License-Identifier: MIT

import Testing
import TodayModel

@testable import Commands

/// What `new` writes. IntegrationTests run it.
@Suite struct WidgetTemplateTests {
    @Test func languagesComeInTheOrderOfPreference() {
        #expect(WidgetTemplate.languages(of: .text) == [.sh, .python, .swift])
        #expect(WidgetTemplate.languages(of: .varlink) == [.python])
        #expect(WidgetTemplate.languages(of: .push) == [])
        #expect(WidgetTemplate(.json, .swift)?.program?.hasPrefix("#!/usr/bin/env swift\n") == true)
        #expect(WidgetTemplate(.nagios, .python) == nil)
    }

    @Test(arguments: ContentProtocol.allCases) func theManifestFitsTheProtocol(_ contentProtocol: ContentProtocol)
        throws
    {
        let template = try #require(WidgetTemplate(contentProtocol, nil))
        let manifest = template.manifest(named: "load")
        #expect(manifest.contains("\nProtocol=\(contentProtocol.rawValue)\n"))
        #expect(manifest.contains("\nExecStart=./load\n") == contentProtocol.hasProgram)
        let hasExpanded = contentProtocol.hasProgram && contentProtocol != .text
        #expect(manifest.contains("\nLargestDisplayMode=expanded\n") == hasExpanded)
        #expect(manifest.contains("\nInterval=5min\n") == contentProtocol.hasProgram)
        #expect((template.program != nil) == contentProtocol.hasProgram)
    }

    @Test func aShellCannotAnswerCalls() throws {
        #expect(WidgetTemplate(.varlink, .sh) == nil)
        #expect(WidgetTemplate(.varlink, nil)?.program?.hasPrefix("#!/usr/bin/env python3\n") == true)
        #expect(WidgetTemplate(.text, nil)?.program?.hasPrefix("#!/bin/sh\n") == true)
    }
}
