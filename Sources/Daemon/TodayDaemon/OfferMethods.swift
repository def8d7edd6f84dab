// SPDX-License-Identifier: MIT
import JSON
import QueryService
import Registry
import Spelling
import TodayModel
import Varlink

/// What can be added, and adding it.
extension Daemon {
    var offerMethods: [Method] {
        [
            method("Offers") { call, daemon throws(VarlinkError) in
                daemon.catalog.catchUp()
                return .parameters(["offers": .array(daemon.catalog.offers().map(\.json))])
            },
            method("Add", ["id", "instance", "values"]) { call, daemon throws(VarlinkError) in
                let instance = try call.parameters.optionalString("instance")
                let values = try call.parameters.texts("values") ?? []
                try call.require(.choices)
                daemon.catalog.catchUp()
                let offer = try call.offer(among: daemon.catalog.offers())
                let (id, change) = try call.refusing { () throws(Refusal) in
                    try daemon.catalog.addition(of: offer, named: instance, values)
                }
                return .later { done in
                    daemon.change(change) { done($0.map { ["id": .string(id.text)] }) }
                }
            },
            method("Remove", ["id"]) { call, daemon throws(VarlinkError) in
                let widget = try call.choosableWidget()
                guard daemon.store.choices(of: widget).isAdded else {
                    let file = daemon.registry.widgets[widget].map { ": \($0.path)" } ?? ""
                    throw .refused("\(widget) is there because of its file\(file); Disable keeps it from running")
                }
                return .afterwards { daemon.change(.remove(widget), then: $0) }
            },
        ].map(\.askingThePolicy)
    }
}

extension MethodCall {
    /// The offer that the parameter `id` names.
    fileprivate func offer(among offers: [Offer]) throws(VarlinkError) -> Offer {
        let name = try parameters.string("id")
        guard let offer = offers.first(where: { $0.id.text == name }) else {
            throw noSuchWidget(name, among: offers.map(\.id))
        }
        return offer
    }
}

extension Catalog {
    func offers() -> [Offer] {
        let added = Dictionary(grouping: store.added.sorted()) { $0.template ?? $0 }
        return registry.readOffers().map { offered in
            let manifest = offered.entry.described
            // A template has no instance name yet.
            func text(_ text: String) -> String {
                offered.isTemplate ? text.replacing("%i", by: "")[...].trimmed : text
            }
            let name = text(offered.entry.displayName)
            let label = offered.id.text.split(separator: ".").last.map(String.init) ?? offered.id.text
            var offer = Offer(offered.id, isTemplate: offered.isTemplate, name: name.isEmpty ? label : name)
            (offer.summary, offer.icon, offer.example) = (
                manifest?.summary.map(text), manifest?.icon, manifest?.example
            )
            offer.settings = manifest?.settings ?? []
            offer.added = (added[offered.id] ?? []).filter { ($0.instance != nil) == offered.isTemplate }
            offer.source = PlainText.line(offered.entry.path)
            offer.complaint = offered.entry.reason
            return offer
        }
    }

    /// The change that adds a widget, with values as a person types them.
    func addition(
        of offer: Offer, named name: String?, _ texts: [(name: String, text: String)]
    ) throws(Refusal) -> (WidgetID, Change) {
        let id = try identifier(of: offer, named: name, texts)
        if registry.widgets[id] != nil {
            throw .refused("\(id) already exists; 'todayctl config \(id)' changes its settings")
        }
        guard let entry = registry.preview(ofAdding: id) else { throw .noSuchWidget(id) }
        guard case .valid(let manifest) = entry.validity else {
            throw .refused("\(offer.id) cannot be added: \(entry.reason ?? "its manifest is not valid")")
        }
        let values: [String: SettingValue]
        do throws(SettingMistake) { values = try manifest.values(from: texts) } catch { throw .refused(error.reason) }
        var added = offer
        added.settings = manifest.settings
        let stored = store.settings(of: id)
        let missing = added.needs.filter { setting in
            (values[setting.name] ?? stored[setting.name])?.text.trimmed.isEmpty ?? true
        }.map { setting in setting.name + (setting.label.map { " (\($0))" } ?? "") }
        if !missing.isEmpty { throw .refused("\(offer.id) needs a value of \(missing.joined(separator: " and of "))") }
        return (id, .add(id, values))
    }

    private func identifier(
        of offer: Offer, named name: String?, _ texts: [(name: String, text: String)]
    ) throws(Refusal) -> WidgetID {
        guard offer.isTemplate else {
            if name == nil { return offer.id }
            throw .refused("\(offer.id) is a single widget, not a template: it has no instances")
        }
        let first = offer.settings.lazy.compactMap { setting in
            texts.first { $0.name.lowercased() == setting.name.lowercased() }?.text
        }.first
        let label =
            name
            ?? InstanceName.after(first) { label in offer.id.instance(label).map { registry.widgets[$0] != nil } ?? true
            }
        guard let id = offer.id.instance(label) else {
            throw .refused(
                "\(Setting.quoted(label)) is not a name for an instance: letters, digits, _ and -, but no - at the beginning"
            )
        }
        return id
    }
}
