// SPDX-License-Identifier: MIT
import Files

/// Which todayd.conf counts, with which drop-ins.
enum ConfigurationFiles {
    static let name = "todayd.conf"
    static let dropInName = "todayd.conf.d"

    /// The strongest todayd.conf, and then todayd.conf.d/*.conf of all places.
    static func read(_ path: SearchPath) -> (settings: Settings, complaints: [Complaint]) {
        var files: [UnitFile] = []
        var complaints: [Complaint] = []
        for file in main(path) + DropIns.files(in: dropInDirectories(path)) {
            switch EntryLoader.open(file, sections: Settings.sections) {
            case .file(let unit): files.append(unit)
            case .masked: continue
            case .unusable(let complaint): complaints.append(complaint)
            }
        }
        let reading = Settings.read(files)
        return (reading.settings, complaints + reading.complaints)
    }

    private static func main(_ path: SearchPath) -> [String] {
        if let file = path.configurationFile { return [file] }
        return path.bases.map { "\($0)/\(name)" }.first(where: Paths.exists).map { [$0] } ?? []
    }

    /// A file that was named explicitly stands alone.
    static func dropInDirectories(_ path: SearchPath) -> [String] {
        path.configurationFile == nil ? path.bases.map { "\($0)/\(dropInName)" } : []
    }

    /// The directories in which a change may change the settings.
    static func directories(_ path: SearchPath) -> [String] {
        guard let file = path.configurationFile else { return path.bases + dropInDirectories(path) }
        return [Paths.parent(of: file)]
    }
}
