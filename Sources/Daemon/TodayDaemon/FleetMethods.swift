// SPDX-License-Identifier: MIT
import JSON
import Platform
import QueryService
import Reactor
import TodayModel
import Varlink

/// What today-fleet asks of todayd: to list the fleet's widgets, to run one, and to take what the fleet has accepted.
extension Daemon {
    var fleetMethods: [Method] {
        [
            method("Fleet") { call, daemon throws(VarlinkError) in
                guard call.wantsMore else { throw .expectedMore }
                try call.require(.everything)
                daemon.offerToFleet()
                return .stream(daemon.fleetFeed)
            },
            method("RunForFleet", ["id"]) { call, daemon throws(VarlinkError) in
                try call.require(.everything)
                let manifest = try call.fleetManifest(in: daemon.catalog)
                if manifest.update.isPushed { throw .refused("\(manifest.id) has no program") }
                if let obstacle = daemon.catalog.obstacle(of: manifest.id) { throw .refused(obstacle) }
                return .later { done in daemon.runForFleet(manifest) { done(.success($0)) } }
            },
            method(
                "AcceptFromFleet", ["id", "content", "failure", "age", "wait", "member", "revision"]
            ) { call, daemon throws(VarlinkError) in
                try call.require(.everything)
                let manifest = try call.fleetManifest(in: daemon.catalog)
                let origin = FleetOrigin(
                    member: PlainText.line(try call.parameters.string("member"), upTo: 256),
                    revision: Int64(
                        try call.parameters.required("revision") { field throws(JSONMismatch) in
                            try field.int(in: 0...Int.max)
                        }))
                daemon.acceptFromFleet(manifest.id, try call.accepted, from: origin)
                return .parameters([:])
            },
        ]
    }

    /// Connects the runner with the feed that today-fleet follows.
    func wireFleet() {
        fleetFeed.onPresence = { [unowned self] isPresent in fleetRunner.setPresence(isPresent) }
        fleetRunner.onWant = { [unowned self] id in
            fleetFeed.want(id)
            service.announce(fleetFeed)
        }
    }

    /// Tells today-fleet which widgets belong to the fleet, if it is connected.
    func offerToFleet() {
        let manifests = registry.widgets.keys.sorted().compactMap { catalog.validManifest(of: $0) }
        let shared = manifests.filter { $0.update.fleet != nil }
        let groups = Set(shared.flatMap(\.appGroups)).sorted()
        // In the form of GetDefaults.
        let defaults = JSONObject(
            groups.map { group in
                (group.text, .object(JSONObject(store.defaults(of: group).map { ($0.key, ["value": $0.value]) })))
            })
        if fleetFeed.offer(shared.compactMap { catalog.fleetOffer(of: $0) }, defaults: defaults) {
            service.announce(fleetFeed)
        }
    }

    private func runForFleet(_ manifest: Manifest, then: @escaping @LoopActor (JSONObject) -> Void) {
        let id = manifest.id
        event(.started, id, "fleet")
        fleetRunner.runForFleet(
            manifest,
            { request in
                request.previous = catalog.own(of: id)
                request.sizes = catalog.sizes
                request.settings = catalog.settingTexts(of: manifest)
                request.mode = catalog.largestMode(of: manifest)
            },
            then: { [self] outcome in
                catalog[id].output.note(outcome)
                event(.finished, id, "fleet")
                then(outcome.forFleet(at: catalog.now.wall))
            })
    }

    private func acceptFromFleet(_ id: WidgetID, _ result: FleetRunner.Accepted, from origin: FleetOrigin) {
        var result = result
        // Unchanged content is only confirmed.
        if result.content == catalog.own(of: id)?.content { result.content = nil }
        // Without a revision, the fleet has not accepted it, because it is out of reach.
        if origin.revision > 0 { catalog[id].fleetOrigin = origin }
        fleetFeed.got(id)
        fleetRunner.accept(result, of: id)
    }
}

extension MethodCall {
    fileprivate func fleetManifest(in catalog: Catalog) throws(VarlinkError) -> Manifest {
        let id = try widget()
        guard let manifest = catalog.validManifest(of: id), manifest.update.fleet != nil else {
            throw .refused("\(id) is not a widget of a fleet: its manifest has no Scope= in [Fleet]")
        }
        return manifest
    }

    fileprivate var accepted: FleetRunner.Accepted {
        get throws(VarlinkError) {
            let content = try parameters.content("content")
            let failure = try parameters.optionalString("failure").map {
                PlainText.line($0, upTo: RunRecord.reasonBytes)
            }
            return FleetRunner.Accepted(
                content: content, failure: failure, age: try parameters.span("age") ?? .zero,
                wait: try parameters.span("wait"), came: .now)
        }
    }
}

extension Catalog {
    /// Nil for a widget of this machine alone.
    func fleetOffer(of manifest: Manifest) -> JSON? {
        guard let fleet = manifest.update.fleet else { return nil }
        var hash = StableHash()
        hash.combine("\(fleet.hash)".utf8)
        // Secrets differ from user to user; other values of settings make it another widget.
        let secrets = Set(manifest.settings.filter { $0.type == .secret }.map(\.name))
        for (name, text) in settingTexts(of: manifest).sorted(by: { $0.key < $1.key }) where !secrets.contains(name) {
            hash.combine("\(name)=\(text)\n".utf8)
        }
        var offer: JSONObject = [
            "id": .string(manifest.id.text), "hash": .string(String(hash.value, radix: 16)),
            "ofSite": .bool(fleet.scope == .site), "runsAlone": .bool(fleet.alone == .run),
            "runs": .bool(!manifest.update.isPushed && obstacle(of: manifest.id) == nil),
            "hasContent": .bool(store.choices(of: manifest.id).hasContent),
        ]
        offer["interval"] = manifest.update.interval.map { .int($0.microseconds) }
        return .object(offer)
    }
}

extension RunOutcome {
    /// The reply of RunForFleet.
    fileprivate func forFleet(at now: WallTime) -> JSONObject {
        var reply: JSONObject
        switch result {
        case .newData(let content): reply = ["result": "newData", "content": content.json]
        case .noData: reply = ["result": "noData"]
        case .failed(let reason): reply = ["result": "failed", "failure": .string(reason)]
        }
        switch nextAsk {
        case .wait(let span)?: reply["wait"] = .int(span.microseconds)
        case .date(let date)?: reply["wait"] = .int(max(.zero, date - now).microseconds)
        case .never?: reply["wait"] = .int(TimeSpan.days(366).microseconds)
        case nil: break
        }
        return reply
    }
}
