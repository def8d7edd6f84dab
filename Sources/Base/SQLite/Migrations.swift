// SPDX-License-Identifier: MIT

/// The ordered steps from any earlier version of a database to the current one. A released step is never edited,
/// because existing databases have taken it.
package struct Migrations: Sendable {
    /// One step: the SQL that makes `version` out of the one before it.
    package struct Step: Sendable {
        let version: Int
        let name: String
        let sql: String

        package init(version: Int, name: String, sql: String) {
            self.version = version
            self.name = name
            self.sql = sql
        }
    }

    private let steps: [Step]

    /// The version that a database has when every step is taken.
    package var version: Int { steps.last?.version ?? 0 }

    package init(_ steps: [Step]) {
        let first = steps.first?.version ?? 1
        precondition(
            steps.map(\.version) == Array(first..<first + steps.count), "migrations are numbered one after the other")
        self.steps = steps
    }

    /// Takes the steps that this database has not taken yet, each with its version number in one transaction.
    @discardableResult
    package func apply(to database: Database) throws(MigrationError) -> (from: Int, to: Int) {
        let found: Int
        do {
            found = try database.userVersion
        } catch {
            throw .failed(step: nil, error)
        }
        guard found <= version else { throw .newer(found: found, known: version) }
        if let first = steps.first?.version, found != 0, found < first { throw .older(found: found, first: first) }
        for step in steps where step.version > found {
            do {
                try database.transaction { () throws(SQLiteError) in
                    // Another process may have taken it while this one waited for the lock.
                    guard try database.userVersion < step.version else { return }
                    try database.execute(step.sql)
                    try database.setUserVersion(step.version)
                }
            } catch {
                throw .failed(step: step.name, error)
            }
        }
        return (found, version)
    }
}

/// Why a database could not be brought to the current version.
package enum MigrationError: Error, CustomStringConvertible, Sendable {
    /// A later program has written it; nothing was changed.
    case newer(found: Int, known: Int)
    /// No step leads on from its version; nothing was changed.
    case older(found: Int, first: Int)
    /// A step, or reading the version (nil), failed; the database is as it was before that step.
    case failed(step: String?, SQLiteError)

    package var description: String {
        switch self {
        case .newer(let found, let known):
            "the database has version \(found), this program knows versions up to \(known)"
        case .older(let found, let first):
            "the database has version \(found), this program knows versions from \(first) on"
        case .failed(let step?, let error): "migration \"\(step)\" failed: \(error)"
        case .failed(nil, let error): "reading the version of the database failed: \(error)"
        }
    }
}
