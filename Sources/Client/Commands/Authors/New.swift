// SPDX-License-Identifier: MIT

import Arguments
import Console
import Files
import Glibc
import JSON
import Link
import Rendering
import Spelling
import TodayModel

/// Starts a widget: a manifest, and a program that works at once.
struct New: ControlCommand {
    static let command = Command(
        "new", summary: "start a widget: a manifest and a working program",
        description: """
            NAME is an identifier such as org.example.load; a single word becomes org.example.NAME. The files are \
            written into the first directory in which your todayd looks, or into --directory; existing files are never \
            overwritten. todayd reads them at once, and the program is yours to change.

            With --protocol=text the program prints lines, with json one object with views and buttons, and with \
            varlink it stays alive and answers calls, which a shell script cannot. With push there is no program: \
            'todayctl push' sends the content. In Swift the program is a script, too.

            --template=today-swift writes a Swift package that uses TodayKit into a new directory NAME: a widget, its \
            containing app, the group whose defaults they share, and the URL that opens the app.
            """,
        options: [
            Option(
                "protocol", value: "WORD", choices: ContentProtocol.allCases.map(\.rawValue),
                help: "What the program prints (default text)"),
            Option(
                "language", short: "l", value: "WORD", choices: WidgetTemplate.Language.allCases.map(\.rawValue),
                help: "In which language (default sh, and python for varlink)"),
            Option(
                "template", value: "WORD", choices: [SwiftPackageTemplate.name],
                help: "Write a package instead of one program"),
            Option("directory", short: "d", value: "DIR", completion: .files, help: "Write the files there"),
        ],
        positionals: [Positional("NAME", help: "An identifier, or one word")],
        examples: [
            .init("todayctl new load", "org.example.load, a shell script that prints text."),
            .init("todayctl new org.example.tasks --protocol json --language python", "With views and a button."),
            .init("todayctl new org.example.tasks --template today-swift", "A package with a widget and its app."),
        ])

    let word: String
    let id: WidgetID
    let template: WidgetTemplate
    private let directory: String?
    private let isPackage: Bool

    init(_ arguments: ParsedArguments) throws {
        word = arguments.word("NAME")
        guard let id = WidgetID(word) ?? WidgetID("org.example.\(word)") else {
            throw Self.usage(
                "'\(word)' cannot be the name of a widget: it takes letters, digits, _ and -, in parts joined by dots")
        }
        self.id = id
        isPackage = arguments.value("template") != nil
        if isPackage, arguments.has("protocol") || arguments.has("language") {
            throw Self.usage("--template=\(SwiftPackageTemplate.name) is in Swift and has its protocol")
        }
        let contentProtocol = arguments.value("protocol").flatMap { ContentProtocol(rawValue: $0) } ?? .text
        let language = arguments.value("language").flatMap { WidgetTemplate.Language(rawValue: $0) }
        if contentProtocol == .push, language != nil {
            throw Self.usage("--protocol=push has no program, so no language")
        }
        guard let template = WidgetTemplate(contentProtocol, language) else {
            let languages = WidgetTemplate.languages(of: contentProtocol).map(\.rawValue).joined(separator: " or ")
            throw Self.usage(
                "there is no template for --protocol=\(contentProtocol.rawValue) in \(language?.rawValue ?? "any language")"
                    + "; use --language=\(languages)")
        }
        self.template = template
        directory = arguments.value("directory")
    }

    func run(in context: CommandContext) throws -> ExitCode {
        if isPackage { return try beginPackage(in: context.output) }
        let places = ManifestPlaces(context.environment)
        guard let directory = directory ?? Self.directories(of: context.service, places).first else {
            throw ClientError("HOME is not set: give --directory DIR")
        }
        let files = NewWidgetFiles(id, template, in: directory)
        let isForAll = places.isRoot || places.system.contains(directory)
        try files.write(directoryMode: isForAll ? 0o755 : 0o700)
        let output = context.output
        if output.isJSON {
            try output.print([
                "id": .string(id.text), "manifest": .string(files.manifest),
                "program": files.program.map(JSON.string) ?? .null,
            ])
        } else if !output.isQuiet {
            if id.text != word {
                try output.print("\(word) is \(id) here; an identifier begins with a domain of yours, reversed")
            }
            for path in [files.manifest, files.program].compactMap({ $0 }) {
                try output.print("wrote \(places.shortened(path))")
            }
            for line in next(files, isRead: self.directory == nil) { try output.print(line) }
        }
        return .ok
    }

    /// The manifest directories of the todayd that this todayctl talks to.
    private static func directories(of service: ServiceClient, _ places: ManifestPlaces) -> [String] {
        switch service.socket.kind {
        case .user: places.user
        // The system's todayd answers only because the user's does not run; the widget is still meant for the user's.
        case .system: service.socket.isFallback ? places.user : places.system
        case .given: service.daemonStatus()?.widgetDirectories ?? (places.isRoot ? places.system : places.user)
        }
    }

    private func beginPackage(in output: CommandOutput) throws -> ExitCode {
        let source = SwiftPackageTemplate.source(ofProgram: Paths.resolved("/proc/self/exe"))
        let template = SwiftPackageTemplate(id, source: source ?? "../todayd")
        let directory = directory ?? template.label
        try NewFiles(files: template.files.map { ("\(directory)/\($0.path)", $0.text, 0o644) }).write()
        if output.isJSON {
            try output.print([
                "id": .string(id.text), "directory": .string(directory),
                "files": .array(template.files.map { .string($0.path) }),
            ])
        } else if !output.isQuiet {
            for file in template.files { try output.print("wrote \(directory)/\(file.path)") }
            if source == nil {
                try output.print("Package.swift names ../todayd: put the source of todayd there, or change it")
            }
            try output.print("Next: cd \(ShellWords.text(of: [directory])) && swift build")
            try output.print("      todayctl preview --watch \(template.manifest)")
            try output.print("      ln -s \"$PWD/\(template.manifest)\" ~/.config/todayd/widgets/")
        }
        return .ok
    }

    /// What to do with the widget.
    private func next(_ files: NewWidgetFiles, isRead: Bool) -> [String] {
        guard files.program != nil else {
            return ["Next: todayctl push \(id) --text 'It works'"]
        }
        var lines = ["Next: todayctl preview --watch \(files.manifest)"]
        if isRead { lines.append("      todayctl show \(id)") }
        return lines
    }

    private static func usage(_ reason: String) -> UsageError {
        UsageError(commands: ["todayctl", "new"], reason: reason)
    }
}

/// The files of a new widget, and their places.
struct NewWidgetFiles {
    let manifest: String
    /// Nil for a widget without a program.
    let program: String?
    private let template: WidgetTemplate
    private let name: String

    init(_ id: WidgetID, _ template: WidgetTemplate, in directory: String) {
        name = id.text.split(separator: ".").last.map(String.init) ?? id.text
        self.template = template
        manifest = "\(directory)/\(id).widget"
        program = template.program == nil ? nil : "\(directory)/\(name)"
    }

    func write(directoryMode: mode_t) throws(ClientError) {
        var files = NewFiles(files: [(manifest, template.manifest(named: name), 0o644)], directoryMode: directoryMode)
        if let program, let text = template.program { files.files.insert((program, text, 0o755), at: 0) }
        try files.write()
    }
}
