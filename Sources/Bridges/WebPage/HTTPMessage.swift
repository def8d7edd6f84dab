// SPDX-License-Identifier: MIT

import Platform

/// What a client asks, as it arrived. Names of headers are in lower case.
package struct HTTPRequest: Sendable, Equatable {
    package var method: String
    /// Without the query, with percent signs decoded.
    package var path: String
    package var query: [HTTPField]
    package var headers: [HTTPField]
    package var body: [UInt8] = []
    /// The address at which it arrived, and the one from which it came.
    package var own: IPAddress?
    package var peer: IPAddress?

    package init(_ method: String, _ path: String, query: [HTTPField] = [], headers: [HTTPField] = []) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
    }

    /// All values of a header.
    package func values(_ name: String) -> [String] { headers.filter { $0.name == name }.map(\.value) }

    /// The value of a header; nil unless there is exactly one.
    package func header(_ name: String) -> String? {
        let all = values(name)
        return all.count == 1 ? all[0] : nil
    }

    /// A word of the query; nil where it is missing, and empty where it has no value.
    package func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }
}

/// A header, or a word of the query.
package struct HTTPField: Sendable, Equatable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// What the client gets.
package struct HTTPAnswer: Sendable, Equatable {
    package var status: Int
    package var headers: [HTTPField]
    package var body: [UInt8]
    /// The connection ends with this answer: after a request that two readers could understand differently, the next bytes
    /// are no request.
    package var endsConnection = false

    package init(_ status: Int, type: String, _ body: [UInt8], headers: [HTTPField] = []) {
        self.status = status
        self.headers = [HTTPField("Content-Type", type)] + headers
        self.body = body
    }

    /// A sentence for people.
    package init(_ status: Int, _ sentence: String) {
        self.init(status, type: "text/plain; charset=utf-8", Array("\(sentence)\n".utf8))
    }
}
