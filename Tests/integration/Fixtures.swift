// SPDX-License-Identifier: MIT
import JSON
import TodayModel
import Varlink

/// Manifests and scripts that several tests share.
enum Widgets {
    /// A manifest for a script beside it.
    static func manifest(_ script: String, update: String = "Interval=1h", widget: String = "") -> String {
        """
        [Widget]
        DisplayName=Test
        \(widget)
        [Update]
        ExecStart=./\(script)
        \(update)
        """
    }

    /// A widget `org.test.NAME` whose script has this body.
    static func script(
        _ name: String, _ body: String, update: String = "Interval=1h", widget: String = ""
    ) -> [String: String] {
        [
            "org.test.\(name).widget": manifest(name, update: update, widget: widget),
            name: "#!/bin/sh\n\(body)\n",
        ]
    }

    /// The files of several widgets.
    static func all(_ widgets: [String: String]...) -> [String: String] {
        widgets.reduce(into: [:]) { all, files in all.merge(files) { first, _ in first } }
    }
}

extension PrivateDaemon {
    /// The item of the widget `org.test.NAME`.
    func item(_ name: String) throws -> Item { try item(id: "org.test.\(name)") }

    func item(id: String) throws -> Item {
        let reply = try call("Show", ["id": .string(id)])
        let items = try JSONField(root: .object(reply)).required("items").array()
        guard let first = items.first else { throw BuiltProgram.Failure(description: "no item for \(id)") }
        return try Item(first)
    }

    /// The whole view.
    func items() throws -> [Item] {
        try JSONField(root: .object(try call("Show"))).required("items").array().map { try Item($0) }
    }

    func status(_ name: String) throws -> WidgetStatus { try status(id: "org.test.\(name)") }

    func status(id: String) throws -> WidgetStatus {
        let reply = try call("Status", ["id": .string(id)])
        let widgets = try JSONField(root: .object(reply)).required("widgets").array()
        guard let first = widgets.first else { throw BuiltProgram.Failure(description: "no status of \(id)") }
        return try WidgetStatus(first)
    }

    func daemonStatus() throws -> DaemonStatus {
        try DaemonStatus(JSONField(root: .object(try call("Status"))).required("daemon"))
    }

    /// Runs the widget and waits for the result.
    @discardableResult
    func update(_ name: String) throws -> UpdateAnswer {
        let reply = try call("Update", ["id": .string("org.test.\(name)")])
        let answers = try JSONField(root: .object(reply)).required("answers").array()
        guard let first = answers.first else { throw BuiltProgram.Failure(description: "no answer about \(name)") }
        return try UpdateAnswer(first)
    }

    /// Subscribes to the widget, like a host, until the condition holds for its item.
    ///
    /// - Parameter patience: the longest wait, and the longest wait for one reply.
    @discardableResult
    func follow(
        _ name: String, for patience: Duration = .seconds(20), until condition: (Item) -> Bool
    ) throws -> Item {
        var found: Item?
        let end = ContinuousClock.now + patience
        let connection = try VarlinkConnection(path: socket, timeout: patience)
        try connection.stream("org.todayd.Today.Show", ["id": .string("org.test.\(name)")], pause: patience) { reply in
            for field in try JSONField(root: .object(reply)).required("items").array() {
                let item = try Item(field)
                if condition(item) { found = item }
            }
            return found == nil && ContinuousClock.now < end
        }
        guard let found else { throw BuiltProgram.Failure(description: "the condition never held for \(name)") }
        return found
    }
}
