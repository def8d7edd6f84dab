// SPDX-License-Identifier: MIT
import Files
import Glibc
import Platform
import TodayModel

/// A widget as a host shows it: an item, which todayctl draws.
struct Preview: Sendable {
    let name: String
    let content: Content
    let size: WidgetSize
    /// With editing, the card has Done in place of Info; a placeholder is what is shown before the first update.
    let options: DevelopmentOptions

    var item: Item? {
        guard let id = WidgetID("preview.widget") else { return nil }
        var item = Item(
            id: id, name: name, points: [.today], position: 0,
            state: options.isPlaceholder ? .waiting : content.isEmpty ? .empty : .ready, mode: options.mode.model,
            largestMode: .expanded)
        item.size = Size(columns: max(size.columns, DisplaySizes.columnRange.lowerBound), rows: size.rows)
        item.content = content
        item.source = options.isPlaceholder ? .placeholder : options.isEditing ? .draft : .own
        item.isEdited = options.isEditing
        item.allowsEditing = options.isEditing
        if !options.isPlaceholder { item.taken = .now }
        return item
    }

    /// Draws it with `todayctl preview -`, which is beside the program, as in a build, or in `PATH`.
    ///
    /// - Parameter options: of todayctl.
    /// - Returns: the exit status.
    func draw(_ options: [String], to output: Int32, _ variables: EnvironmentVariables) throws(WidgetFailure) -> Int32 {
        guard let program = Paths.program("todayctl", or: variables.programPath) else {
            throw WidgetFailure(
                "todayctl, which draws widgets, is neither beside this program nor in PATH; --once --json prints the content"
            )
        }
        // A file without a name, because todayctl may not read while this process writes.
        guard let item, let file = tmpfile(), Descriptor.writeAll(Array(item.json.text.utf8), to: fileno(file)),
            lseek(fileno(file), 0, SEEK_SET) == 0, dup2(fileno(file), STDIN_FILENO) == STDIN_FILENO
        else { throw WidgetFailure("cannot write a temporary file: \(String(cString: strerror(errno)))") }
        var plan = SpawnedProgram.Plan(program, options + ["preview", "-"], output: .descriptor(output))
        plan.input = .descriptor(STDIN_FILENO)
        do throws(SpawnedProgram.Failure) {
            if case .exited(let status) = try SpawnedProgram(plan).wait() { return status }
            return 1
        } catch {
            throw WidgetFailure("\(error)")
        }
    }
}

/// The width to draw in. Containing apps use it, too.
package enum TerminalWidth {
    package static func of(_ descriptor: Int32, _ variables: EnvironmentVariables) -> Int {
        var size = winsize()
        // ioctl_tty(2) fills the structure. It fails if the descriptor is not a terminal.
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col >= 10
        let columns = variables["COLUMNS"].flatMap { Int($0) }.flatMap { $0 >= 10 ? $0 : nil }
        // Longer lines are harder to read.
        return min(isKnown ? Int(size.ws_col) : columns ?? 80, 76)
    }
}
