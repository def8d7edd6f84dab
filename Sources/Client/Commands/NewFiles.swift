// SPDX-License-Identifier: MIT

import Files
import Glibc
import Link

/// Files that a command begins for the user: all of them, or none.
struct NewFiles {
    var files: [(path: String, text: String, mode: mode_t)]
    /// Of the directories that are made for them.
    var directoryMode: mode_t = 0o755
    /// What the user can do about a file that exists.
    var remedyOfExisting = "choose another name, or --directory"
    /// What a user can do who may not write there.
    var remedyOfForbidden = ""

    /// Writes them in their order, so that a todayd that watches the directory finds the last one complete.
    func write() throws(ClientError) {
        if let there = files.map(\.path).first(where: Paths.exists) { throw existing(there) }
        var written: [String] = []
        do {
            for file in files {
                try Paths.makeDirectory(Paths.parent(of: file.path), mode: directoryMode)
                try NewFile.write(file.text, at: file.path, mode: file.mode)
                written.append(file.path)
            }
        } catch {
            for path in written { unlink(path) }
            if let error = error as? NewFile.Failure, error.isThere { throw existing(error.path) }
            throw failure("\(error)", (error as? NewFile.Failure)?.code ?? (error as? DirectoryFailure)?.code)
        }
    }

    private func existing(_ path: String) -> ClientError {
        ClientError("\(path) already exists; not overwritten (\(remedyOfExisting))")
    }

    private func failure(_ description: String, _ code: Int32?) -> ClientError {
        let isForbidden = code == EACCES || code == EPERM
        return ClientError(description + (isForbidden ? remedyOfForbidden : ""), isForbidden ? .notPermitted : .failed)
    }
}
