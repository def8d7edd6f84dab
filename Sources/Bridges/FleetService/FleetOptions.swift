// SPDX-License-Identifier: MIT
import Arguments
import Curl
import Files
import FleetProtocol
import Glibc
import Link
import Platform
import TodayModel

/// The options of today-fleet's command line.
struct FleetOptions: Equatable {
    var socket: DaemonSocket
    var etcd: EtcdClient.Options
    var prefix = "/todayd"
    var site: String?
    var priority = 0
    /// Whether no endpoint was named, so that etcd is expected on this machine.
    var isOfThisMachine = false
    var name: String
    /// Nil is the service itself.
    var task: FleetClient.Task?

    static let command = Command(
        "today-fleet", summary: "runs a widget on one machine for many",
        description: """
            Runs with todayd on each machine of a fleet. Widgets with Scope= in [Fleet] of their manifest run on one \
            machine at a time, and all machines show the answer. The machines agree through etcd (version 3.4 or \
            later); while it is out of reach, they go on showing the last good answer.
            """,
        options: [
            Option("user", help: "Serve the user's todayd"),
            Option("system", help: "Serve the system's todayd"),
            Option("socket", value: "PATH", completion: .files, help: "Serve the todayd that listens there"),
            Option(
                "endpoint", value: "URL",
                help: "The address of etcd (default http://127.0.0.1:2379); repeat it for each of its nodes"),
            Option("prefix", value: "KEY", help: "The prefix of the fleet's keys (default /todayd)"),
            Option("site", value: "NAME", help: "The site of this machine, for widgets with Scope=site"),
            Option(
                "priority", value: "N", help: "Machines with a higher number run widgets first (-100 to 100, default 0)"
            ),
            Option("name", value: "NAME", help: "The name of this machine that people see (default: its host name)"),
            Option("etcd-user", value: "NAME", help: "Log in to etcd as this user"),
            Option(
                "password-file", value: "FILE", completion: .files,
                help: "The file with the password, which others may not read"),
            Option("ca", value: "FILE", completion: .files, help: "Trust these certificates instead of the system's"),
            Option("cert", value: "FILE", completion: .files, help: "Show this certificate to etcd"),
            Option(
                "key", value: "FILE", completion: .files, help: "With this key (default: in the certificate's file)"),
            Option(
                "insecure", help: "Accept http:// for other machines; the network can then read and change everything"),
            Option(
                "status", help: "Print who is in the fleet and who runs what, by the options in fleet.conf, and exit"),
            Option(
                "push", value: "ID",
                help: "Show JSON from standard input on all machines, as 'todayctl push --fleet' does, and exit"),
            .completion, .version,
        ],
        exclusiveOptions: [["user", "system", "socket"], ["status", "push"]],
        examples: [
            .init("today-fleet --user", "with an etcd on this machine"),
            .init(
                "today-fleet --endpoint https://etcd1:2379 --endpoint https://etcd2:2379 --ca ca.pem --cert me.pem",
                "with two nodes of an etcd that asks for certificates"),
            .init("today-fleet --status", "who is there, and who ran what"),
        ])

    static func parse(_ arguments: [String], environment: EnvironmentVariables) throws(UsageError)
        -> ProgramRequest<FleetOptions>
    {
        var parsed = try command.parse(arguments)
        if parsed.has("status") || parsed.has("push"), parsed.values("endpoint").isEmpty,
            let words = wordsOfTheService(parsed, environment)
        {
            parsed = try command.parse(words + arguments)
        }
        if let text = command.information(for: parsed, version: Version.text) { return .print(text) }
        let named = parsed.values("endpoint")
        var etcd = EtcdClient.Options(endpoints: [])
        for text in named.isEmpty ? ["http://127.0.0.1:2379"] : named {
            etcd.endpoints.append(try endpoint(text, isInsecure: parsed.has("insecure")))
        }
        etcd.user = parsed.value("etcd-user")
        (etcd.authority, etcd.certificate, etcd.key) = (parsed.value("ca"), parsed.value("cert"), parsed.value("key"))
        if let path = parsed.value("password-file") { etcd.password = try password(in: path) }
        if (etcd.user == nil) != (etcd.password == nil) { throw usage("--etcd-user and --password-file go together") }
        if etcd.key != nil, etcd.certificate == nil { throw usage("--key is that of a certificate: --cert") }
        var options = FleetOptions(
            socket: DaemonSocket(parsed, environment: environment), etcd: etcd, name: Machine.hostName)
        if let prefix = parsed.value("prefix") {
            let parts = prefix.split(separator: "/").map(String.init)
            guard prefix.hasPrefix("/"), !parts.isEmpty, parts.allSatisfy(FleetPath.isName) else {
                throw usage("--prefix \(prefix): is not a key like /todayd, of letters, digits, '-', '_' and '.'")
            }
            options.prefix = "/" + parts.joined(separator: "/")
        }
        if let site = parsed.value("site") {
            guard FleetPath.isName(site) else {
                throw usage("--site \(site): is not a name of letters, digits, '-', '_' and '.'")
            }
            options.site = site
        }
        if let text = parsed.value("priority") {
            guard let number = Int(text), abs(number) <= 100 else { throw usage("--priority \(text): -100 to 100") }
            options.priority = number
        }
        if let name = parsed.value("name") { options.name = PlainText.line(name, upTo: 64) }
        options.isOfThisMachine = named.isEmpty
        options.task = parsed.has("status") ? .status : parsed.value("push").map(FleetClient.Task.push)
        return .run(options)
    }

    /// The options of the service: OPTIONS= in fleet.conf, split at spaces as systemd does it.
    private static func wordsOfTheService(
        _ parsed: ParsedArguments, _ environment: EnvironmentVariables
    ) -> [String]? {
        let home = environment["XDG_CONFIG_HOME"] ?? environment["HOME"].map { "\($0)/.config" }
        let directory = parsed.has("system") ? "/etc" : home ?? "/etc"
        guard case .bytes(let bytes) = FileContents(at: "\(directory)/todayd/fleet.conf", limit: 64 << 10) else {
            return nil
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        guard let line = lines.last(where: { $0.hasPrefix("OPTIONS=") }) else { return nil }
        return line.dropFirst(8).split(separator: " ").map { $0.trimming { $0 == "\"" } }.map(String.init)
    }

    private static func endpoint(_ text: String, isInsecure: Bool) throws(UsageError) -> String {
        let url: CurlURL
        do throws(CurlURL.Fault) { url = try CurlURL(text) } catch {
            let reason = error == .hasUser ? "--etcd-user has the name" : "is not a URL like https://host:2379"
            throw usage("--endpoint \(text): \(reason)")
        }
        guard url.scheme == "https" || url.scheme == "http" else {
            throw usage("--endpoint \(text): https:// or http://")
        }
        let isHere = ["127.0.0.1", "localhost", "[::1]"].contains(url.host)
        if url.scheme == "http", !isHere, !isInsecure {
            throw usage("--endpoint \(text): nothing is encrypted; https:// is, and --insecure takes it as it is")
        }
        return String(url.text.reversed().drop { $0 == "/" }.reversed())
    }

    /// The first line of the file.
    private static func password(in path: String) throws(UsageError) -> String {
        let bytes: [UInt8]
        do throws(SecretFile.Fault) { bytes = try SecretFile.read(path, .group) } catch {
            throw usage("--password-file \(path): \(error.reason)")
        }
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
        guard !line.isEmpty else { throw usage("--password-file \(path): its first line is empty") }
        return String(decoding: line, as: UTF8.self)
    }

    private static func usage(_ reason: String) -> UsageError { UsageError(commands: ["today-fleet"], reason: reason) }
}
