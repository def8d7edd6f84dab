// SPDX-License-Identifier: MIT
import TestSupport
import Testing
import TodayModel

extension Integration {
    /// Programs of others run as widgets, unchanged: Debian's monitoring-plugins-basic and i3blocks, which
    /// `contrib/setup --test` installs.
    @Suite struct RealProgramTests {
        private static func content(
            of command: String, _ contentProtocol: ContentProtocol, environment: String = ""
        ) throws -> (content: Content?, status: WidgetStatus) {
            let update = """
                ExecStart=\(command)
                Protocol=\(contentProtocol.rawValue)
                Interval=1h
                Environment=\(environment)
                """
            let daemon = try PrivateDaemon(widgets: ["org.test.real.widget": "[Widget]\n[Update]\n\(update)\n"])
            _ = try daemon.update("real")
            return (try daemon.item("real").content, try daemon.status("real"))
        }

        private static let plugins: [(command: String, severity: Severity, begins: String, metrics: [String])] = [
            ("check_load -w 1000,1000,1000 -c 2000,2000,2000", .normal, "LOAD OK", ["load1", "load5", "load15"]),
            ("check_load -w 0,0,0 -c 1000,1000,1000", .warning, "LOAD WARNING", ["load1", "load5", "load15"]),
            // A mount point also where the root directory is none, as after chroot(2). Free megabytes.
            ("check_disk -w 0 -c 0 -p /dev", .normal, "DISK OK", ["/dev"]),
            ("check_disk -w 999999999 -c 999999999 -p /dev", .critical, "DISK CRITICAL", ["/dev"]),
            ("check_procs -w 100000 -c 200000", .normal, "PROCS OK", ["procs"]),
            ("check_users -w 5000 -c 10000", .normal, "USERS OK", ["users"]),
            ("check_dummy 0 \"all is well\"", .normal, "OK: all is well", []),
            ("check_dummy 1", .warning, "WARNING", []),
            ("check_dummy 2 '50% | used=50%;40;45'", .critical, "CRITICAL: 50%", ["used"]),
            ("check_dummy 3", .info, "UNKNOWN", []),
        ]

        @Test(arguments: plugins.indices) func aMonitoringPluginIsAWidget(index: Int) throws {
            let plugin = Self.plugins[index]
            let command = plugin.command.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%%")
            let (content, status) = try Self.content(of: "/usr/lib/nagios/plugins/\(command)", .nagios)
            let shown = try #require(content, "\(status.history)")
            #expect(shown.severity == plugin.severity && shown.text.hasPrefix(plugin.begins), "\(shown.text)")
            #expect(shown.metrics.map(\.name) == plugin.metrics)
            #expect(status.state == .ready && status.history.first?.errorOutput ?? "" == "")
        }

        /// The usage of a plugin that is called wrongly: its status says "unknown".
        @Test func aWrongCallOfAPluginIsShown() throws {
            let (content, status) = try Self.content(of: "/usr/lib/nagios/plugins/check_swap -w x", .nagios)
            #expect(content?.severity == .info && content?.text.contains("check_swap") == true)
            #expect(status.state == .ready)
        }

        private static let blocks: [(name: String, environment: String, text: @Sendable (String) -> Bool)] = [
            ("disk", "BLOCK_INSTANCE=/", { $0.last == "G" || $0.last == "T" || $0.last == "M" }),
            ("memory", "BLOCK_INSTANCE=mem", { $0.hasSuffix("G") && Double($0.dropLast()) != nil }),
            ("load_average", "", { Double($0) != nil }),
            ("bandwidth", "BLOCK_INSTANCE=lo", { $0 == "lo down" || $0.hasPrefix("IN ") }),
        ]

        @Test(arguments: blocks.indices) func aScriptOfI3blocksIsAWidget(index: Int) throws {
            let block = Self.blocks[index]
            let (content, status) = try Self.content(
                of: "/usr/share/i3blocks/\(block.name)", .i3blocks, environment: block.environment)
            let shown = try #require(content, "\(status.history)")
            #expect(block.text(shown.text), "\(shown.text)")
            // Some end with 33 where they want to be seen, which is not a failure.
            #expect(status.state == .ready)
            let isUrgent = status.history.first?.exit?.contains("33") ?? false
            #expect(isUrgent == (shown.severity == .critical), "\(status.history)")
        }
    }
}
