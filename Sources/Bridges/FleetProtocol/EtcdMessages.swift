// SPDX-License-Identifier: MIT
import JSON
import Platform
import Spelling

/// A key of etcd with its value, at the revision of its last change.
package struct EtcdKeyValue: Hashable, Sendable {
    package var key: String
    package var value: String
    package var revision: Int64

    package init(key: String, value: String = "", revision: Int64) {
        (self.key, self.value, self.revision) = (key, value, revision)
    }
}

package struct EtcdChange: Hashable, Sendable {
    package var pair: EtcdKeyValue
    package var isRemoval: Bool

    package init(_ pair: EtcdKeyValue, isRemoval: Bool = false) { (self.pair, self.isRemoval) = (pair, isRemoval) }
}

/// A request of etcd's JSON gateway (v3): its path and its body. Keys and values are base64, numbers of 64 bits are texts.
package struct EtcdRequest: Equatable, Sendable {
    package let path: String
    package let body: JSON

    private init(_ path: String, _ body: JSON) { (self.path, self.body) = (path, body) }

    package static func authenticate(_ user: String, password: String) -> EtcdRequest {
        EtcdRequest("/v3/auth/authenticate", ["name": .string(user), "password": .string(password)])
    }

    package static func grantLease(seconds: Int64) -> EtcdRequest {
        EtcdRequest("/v3/lease/grant", ["TTL": .string("\(seconds)")])
    }

    package static func keepAlive(_ lease: Int64) -> EtcdRequest {
        EtcdRequest("/v3/lease/keepalive", ["ID": .string("\(lease)")])
    }

    package static func revoke(_ lease: Int64) -> EtcdRequest {
        EtcdRequest("/v3/lease/revoke", ["ID": .string("\(lease)")])
    }

    package static func put(_ key: String, _ value: JSON, lease: Int64?) -> EtcdRequest {
        EtcdRequest("/v3/kv/put", putBody(key, value.text, lease: lease))
    }

    /// - Parameter isStale: whether the answer may be old; then etcd answers even without a quorum.
    package static func range(prefix: String, isStale: Bool) -> EtcdRequest {
        var body: JSONObject = ["key": text(prefix), "range_end": text(end(of: prefix))]
        if isStale { body["serializable"] = true }
        return EtcdRequest("/v3/kv/range", .object(body))
    }

    package static func watch(prefix: String, from revision: Int64) -> EtcdRequest {
        EtcdRequest(
            "/v3/watch",
            [
                "create_request": [
                    "key": text(prefix), "range_end": text(end(of: prefix)), "start_revision": .string("\(revision)"),
                    "progress_notify": true,
                ]
            ])
    }

    /// Claims a widget, if its record is still the one that the member has seen and no claim exists.
    package static func claim(
        _ path: FleetPath, in keys: FleetKeys, by member: FleetMember, expecting revision: Int64, lease: Int64
    ) -> EtcdRequest {
        let claim = keys.key(of: path, .claim)
        return transaction(
            [isUnchanged(keys.key(of: path, .record), revision), isUnchanged(claim, 0)],
            [["request_put": putBody(claim, member.json.text, lease: lease)]])
    }

    /// Publishes a record and ends the claim, if the claim is still this member's.
    package static func publish(
        _ path: FleetPath, in keys: FleetKeys, _ record: FleetRecord, expecting revision: Int64, rest: Int64?
    ) -> EtcdRequest {
        let claim = keys.key(of: path, .claim)
        let key = keys.key(of: path, .record)
        var steps: [JSON] = [["request_put": putBody(key, record.json.text)]]
        if let rest {
            steps.append(["request_put": putBody(keys.key(of: path, .rest), "", lease: rest)])
        }
        steps.append(["request_delete_range": ["key": text(claim)]])
        return transaction([isUnchanged(key, revision), isUnchanged(claim, record.claim)], steps)
    }

    package static func release(_ path: FleetPath, in keys: FleetKeys, claim revision: Int64) -> EtcdRequest {
        let claim = keys.key(of: path, .claim)
        return transaction([isUnchanged(claim, revision)], [["request_delete_range": ["key": text(claim)]]])
    }

    // MARK: Parts

    private static func transaction(_ compare: [JSON], _ success: [JSON]) -> EtcdRequest {
        EtcdRequest("/v3/kv/txn", ["compare": .array(compare), "success": .array(success)])
    }

    /// A missing key has the revision 0.
    private static func isUnchanged(_ key: String, _ revision: Int64) -> JSON {
        ["key": text(key), "target": "MOD", "result": "EQUAL", "mod_revision": .string("\(revision)")]
    }

    private static func putBody(_ key: String, _ value: String, lease: Int64? = nil) -> JSON {
        var body: JSONObject = ["key": text(key), "value": text(value)]
        body["lease"] = lease.map { .string("\($0)") }
        return .object(body)
    }

    private static func text(_ text: String) -> JSON { .string(Base64.encode(Array(text.utf8))) }

    /// The first key after all keys with a prefix that ends in a slash.
    private static func end(of prefix: String) -> String { String(prefix.dropLast()) + "0" }
}

/// An answer of the gateway. etcd leaves out members that are false, zero or empty.
package struct EtcdReply: Sendable {
    private let json: JSON

    package init(_ json: JSON) { self.json = json }

    package init(parsing body: [UInt8]) throws(EtcdError) {
        let text = String(decoding: body, as: UTF8.self)
        do throws(JSONSyntaxError) { json = try JSON.parse(text, maxValues: 1_000_000) } catch {
            throw EtcdError(message: "the answer is not JSON: \(text.prefix(80))", code: nil)
        }
    }

    /// The error in an answer, in any of the four forms that 3.4 and 3.5 have for answers and streams.
    package var error: EtcdError? {
        if let error = json["error"] {
            if let object = error.objectValue {
                return EtcdError(
                    message: object["message"]?.stringValue ?? "an error without a word",
                    code: (object["grpc_code"] ?? object["code"])?.intValue)
            }
            return EtcdError(
                message: json["message"]?.stringValue ?? error.stringValue ?? "an error without a word",
                code: json["code"]?.intValue)
        }
        guard let code = json["code"]?.intValue, let message = json["message"]?.stringValue else { return nil }
        return EtcdError(message: message, code: code)
    }

    package var revision: Int64 { Self.number(json["header"]?["revision"]) ?? 0 }
    package var token: String? { json["token"]?.stringValue }
    package var lease: Int64? { Self.number(json["ID"]) }
    /// Whether a transaction's conditions held.
    package var hasSucceeded: Bool { json["succeeded"]?.boolValue ?? false }
    /// The remaining time of a kept lease, in an answer of a stream; nil if the lease has ended.
    package var leaseSeconds: Int64? {
        guard let seconds = Self.number(json["result"]?["TTL"] ?? json["TTL"]), seconds > 0 else { return nil }
        return seconds
    }

    package var pairs: [EtcdKeyValue] { (json["kvs"]?.arrayValue ?? []).compactMap(Self.pair) }

    // MARK: A watch

    private var result: JSON? { json["result"] }

    /// etcd has ended the watch, but leaves the connection open.
    package var isCancelled: Bool { result?["canceled"]?.boolValue ?? false }

    package var cancelReason: String {
        if let revision = Self.number(result?["compact_revision"]), revision > 0 {
            return "what follows the last reading was compacted (up to \(revision))"
        }
        return result?["cancel_reason"]?.stringValue ?? "etcd has cancelled the watch"
    }

    package var isCreated: Bool { result?["created"]?.boolValue ?? false }

    package var changes: [EtcdChange] {
        (result?["events"]?.arrayValue ?? []).compactMap { event in
            guard let pair = event["kv"].flatMap(Self.pair) else { return nil }
            return EtcdChange(pair, isRemoval: event["type"]?.stringValue == "DELETE")
        }
    }

    // MARK: Parts

    private static func pair(_ json: JSON) -> EtcdKeyValue? {
        guard let key = json["key"]?.stringValue.flatMap(Base64.decode) else { return nil }
        let value = json["value"]?.stringValue.flatMap(Base64.decode) ?? []
        return EtcdKeyValue(
            key: String(decoding: key, as: UTF8.self), value: String(decoding: value, as: UTF8.self),
            revision: number(json["mod_revision"]) ?? 0)
    }

    /// etcd writes a number of 64 bits as a string.
    private static func number(_ json: JSON?) -> Int64? { json?.intValue ?? json?.stringValue.flatMap { Int64($0) } }
}

/// What etcd says instead of an answer.
package struct EtcdError: Error, Equatable, CustomStringConvertible {
    package let message: String
    /// The code of gRPC; nil if no etcd has answered.
    package let code: Int64?

    package init(message: String, code: Int64?) { (self.message, self.code) = (message, code) }

    package var description: String {
        code == 8 ? "\(message) (etcd is full: compact, defragment, disarm its alarm)" : message
    }

    /// The token is old, or the roles have changed.
    package var needsLogin: Bool {
        ["invalid auth token", "user name is empty", "revision of auth store is old"].contains(where: message.includes)
    }

    /// This endpoint cannot answer now; another one may: Unavailable, or without a quorum Unknown and DeadlineExceeded.
    package var isAbsence: Bool { code == 14 || code == 2 || code == 4 }
}
