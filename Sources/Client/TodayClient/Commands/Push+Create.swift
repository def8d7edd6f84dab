// SPDX-License-Identifier: MIT

import Glibc
import JSON
import TodayModel

/// What is pushed to a widget that is not there yet.
extension Push {
    /// How long todayd may take to see a manifest. A manifest that was just saved counts for the next call; where its
    /// directory is new or cannot be watched, it takes a moment.
    private static let patience = TimeSpan.seconds(5)

    /// - Parameter error: what todayd has answered; it has found the content to be right before.
    func pushToNew(_ call: ServiceCall, after error: ClientError, in context: CommandContext) throws -> JSONObject {
        guard let daemon = context.service.daemonStatus() else { throw error }
        guard let manifest = PushManifest(id, for: daemon) else {
            if !creates { throw error }
            throw ClientError(
                "'\(id)' cannot be the name of a widget: it takes letters, digits, _ and -, in parts joined by dots",
                .usage)
        }
        let places = ManifestPlaces(context.environment)
        guard creates else { throw error.adding(manifest.offer(places)) }
        try manifest.write(places, isRoots: context.service.isRoots)
        context.output.remark("wrote \(places.shortened(manifest.path))")
        var call = call
        call.parameters["id"] = .string(manifest.id.text)
        return try pushed(call, manifest, in: context)
    }

    private func pushed(_ call: ServiceCall, _ manifest: PushManifest, in context: CommandContext) throws -> JSONObject
    {
        let deadline = AwakeTime.now + Self.patience
        while true {
            do {
                return try context.service.call(call)
            } catch let error as ClientError where error.unknownWidget != nil {
                if AwakeTime.now >= deadline {
                    throw ClientError(
                        "\(manifest.path) is written, and todayd does not know \(manifest.id) after \(Self.patience.text); "
                            + "'todayctl reload' says what is wrong", .noSuchWidget)
                }
                usleep(50_000)
            }
        }
    }
}
