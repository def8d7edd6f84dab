// SPDX-License-Identifier: MIT
import FleetProtocol
import JSON
import Testing
import TodayModel

/// What is sent to etcd's gateway, and what 3.4 and 3.5 answer.
@Suite struct EtcdMessagesTests {
    private static let keys = FleetKeys(prefix: "/t")
    private static let path = FleetPath(scope: "fleet", id: WidgetID("a.b").unsafelyUnwrapped, hash: "h")
    private static let me = FleetMember(id: "m", name: "n")

    private func reply(_ text: String) throws -> EtcdReply { try EtcdReply(parsing: Array(text.utf8)) }

    @Test func aClaimComparesTheRecordAndWantsNoClaim() {
        let request = EtcdRequest.claim(Self.path, in: Self.keys, by: Self.me, expecting: 7, lease: 5)
        #expect(request.path == "/v3/kv/txn")
        #expect(
            request.body == [
                "compare": [
                    [
                        "key": "L3Qvdy9mbGVldC9hLmIvaC9yZWNvcmQ=", "target": "MOD", "result": "EQUAL",
                        "mod_revision": "7",
                    ],
                    [
                        "key": "L3Qvdy9mbGVldC9hLmIvaC9jbGFpbQ==", "target": "MOD", "result": "EQUAL",
                        "mod_revision": "0",
                    ],
                ],
                "success": [
                    [
                        "request_put": [
                            "key": "L3Qvdy9mbGVldC9hLmIvaC9jbGFpbQ==",
                            "value": "eyJtZW1iZXIiOiJtIiwibmFtZSI6Im4ifQ==", "lease": "5",
                        ]
                    ]
                ],
            ])
    }

    @Test(arguments: [nil, 9] as [Int64?]) func aPublicationEndsTheClaim(rest: Int64?) throws {
        let record = FleetRecord(
            Self.me, claim: 8, FleetResult(.noData), after: nil, interval: nil, at: WallTime(microseconds: 0))
        let request = EtcdRequest.publish(Self.path, in: Self.keys, record, expecting: 7, rest: rest)
        let compare = try #require(request.body["compare"]?.arrayValue)
        #expect(compare.map { $0["mod_revision"] } == ["7", "8"])
        let steps = try #require(request.body["success"]?.arrayValue)
        #expect(steps.count == (rest == nil ? 2 : 3))
        #expect(steps.last?["request_delete_range"]?["key"] == "L3Qvdy9mbGVldC9hLmIvaC9jbGFpbQ==")
        if rest != nil { #expect(steps[1]["request_put"]?["lease"] == "9") }
        #expect(steps[0]["request_put"]?["lease"] == nil)
    }

    @Test func theOtherRequestsHaveTheirForms() {
        let release = EtcdRequest.release(Self.path, in: Self.keys, claim: 8)
        #expect(release.body["compare"]?.arrayValue?.first?["mod_revision"] == "8")
        #expect(
            EtcdRequest.range(prefix: "/t/", isStale: false).body == ["key": "L3Qv", "range_end": "L3Qw"])
        #expect(EtcdRequest.range(prefix: "/t/", isStale: true).body["serializable"] == true)
        #expect(EtcdRequest.watch(prefix: "/t/", from: 4).body["create_request"]?["start_revision"] == "4")
        #expect(EtcdRequest.keepAlive(4).path == "/v3/lease/keepalive" && EtcdRequest.keepAlive(4).body == ["ID": "4"])
        #expect(EtcdRequest.grantLease(seconds: 15).body == ["TTL": "15"])
        #expect(EtcdRequest.revoke(3).path == "/v3/lease/revoke")
        #expect(EtcdRequest.put("k", "v", lease: 2).body == ["key": "aw==", "value": "InYi", "lease": "2"])
        #expect(EtcdRequest.authenticate("u", password: "p").body == ["name": "u", "password": "p"])
    }

    /// What is false or zero is left out.
    @Test func answersAreRead() throws {
        let won = try reply(#"{"header":{"revision":"12"},"succeeded":true}"#)
        #expect(won.hasSucceeded && won.revision == 12 && won.error == nil)
        #expect(try !reply(#"{"header":{"revision":"12"}}"#).hasSucceeded)
        #expect(try reply(#"{"result":{"ID":"1","TTL":"15"}}"#).leaseSeconds == 15)
        #expect(try reply(#"{"result":{"ID":"1"}}"#).leaseSeconds == nil)
        #expect(try reply(#"{"result":{"ID":"1","TTL":"0"}}"#).leaseSeconds == nil)
        #expect(try reply(#"{"ID":"77","TTL":"15"}"#).lease == 77)
        #expect(try reply(#"{"token":"t"}"#).token == "t")
        let pairs = try reply(#"{"kvs":[{"key":"aw==","value":"dg==","mod_revision":"3"},{"key":"!"},{"key":"aw=="}]}"#)
        #expect(
            pairs.pairs == [
                EtcdKeyValue(key: "k", value: "v", revision: 3), EtcdKeyValue(key: "k", revision: 0),
            ])
    }

    @Test func aWatchIsRead() throws {
        let changes = try reply(
            #"{"result":{"events":[{"kv":{"key":"aw==","mod_revision":"3"}},"#
                + #"{"type":"DELETE","kv":{"key":"aw==","mod_revision":"4"}},{}]}}"#
        ).changes
        #expect(
            changes == [
                EtcdChange(EtcdKeyValue(key: "k", revision: 3)),
                EtcdChange(EtcdKeyValue(key: "k", revision: 4), isRemoval: true),
            ])
        let created = try reply(#"{"result":{"created":true}}"#)
        #expect(created.isCreated && !created.isCancelled && created.changes.isEmpty)
        let compacted = try reply(#"{"result":{"canceled":true,"compact_revision":"9"}}"#)
        #expect(compacted.isCancelled && compacted.cancelReason.contains("(up to 9)"))
        let denied = try reply(#"{"result":{"created":true,"canceled":true,"cancel_reason":"denied"}}"#)
        #expect(denied.isCancelled && denied.cancelReason == "denied")
        #expect(try reply(#"{"result":{"canceled":true}}"#).cancelReason == "etcd has cancelled the watch")
    }

    @Test(
        arguments: [
            (#"{"error":"e","message":"m","code":5}"#, "m", 5), (#"{"code":14,"message":"m"}"#, "m", 14),
            (#"{"error":{"grpc_code":2,"http_code":500,"message":"m"}}"#, "m", 2),
            (#"{"error":{"code":14,"message":"m"}}"#, "m", 14), (#"{"error":"e"}"#, "e", nil),
        ] as [(String, String, Int64?)]) func errorsOfAllFormsAreRead(text: String, message: String, code: Int64?)
        throws
    {
        #expect(try reply(text).error == EtcdError(message: message, code: code))
    }

    @Test func errorsMeanSomething() throws {
        #expect(EtcdError(message: "etcdserver: invalid auth token", code: 16).needsLogin)
        #expect(EtcdError(message: "etcdserver: user name is empty", code: 3).needsLogin)
        #expect(EtcdError(message: "etcdserver: revision of auth store is old", code: 3).needsLogin)
        #expect(!EtcdError(message: "permission denied", code: 7).needsLogin)
        for code in [2, 4, 14] as [Int64] { #expect(EtcdError(message: "", code: code).isAbsence) }
        #expect(!EtcdError(message: "", code: 8).isAbsence && !EtcdError(message: "", code: nil).isAbsence)
        #expect("\(EtcdError(message: "m", code: 8))".contains("etcd is full"))
        #expect("\(EtcdError(message: "m", code: 7))" == "m")
        do throws(EtcdError) {
            _ = try EtcdReply(parsing: Array("client sent an HTTP request to an HTTPS server".utf8))
            Issue.record("it was read")
        } catch {
            #expect(error.message.contains("not JSON: client sent"))
        }
    }
}
