// SPDX-License-Identifier: MIT
import TodayHTTP
import TodayKit

/// Whether the checks of some branches pass, and what waits on GitHub or GitLab: notifications, and reviews.
@main
struct RepositoriesWidget: TodayWidget {
    private var runs: [(repository: Forge.Repository, run: ForgeRun?)] = []
    private var notifications: Int?
    private var reviews: [ForgeReview] = []

    mutating func widgetPerformUpdate() async throws -> NCUpdateResult {
        let settings = extensionContext.settings
        let kind = Forge.Kind(rawValue: settings.string(forKey: "SERVICE") ?? "") ?? .github
        let forge = Forge(kind, server: settings.string(forKey: "SERVER"), token: settings.string(forKey: "TOKEN"))
        let named = settings.stringArray(forKey: "REPOSITORIES") ?? []
        if named.isEmpty, forge.token == nil {
            throw WidgetFailure("neither REPOSITORIES nor TOKEN is set: set them with 'todayctl config'")
        }
        runs = []
        for text in named.prefix(20) {
            guard let repository = Forge.Repository(text) else {
                throw WidgetFailure("\(text) is not a repository such as owner/name or owner/name#branch")
            }
            runs.append((repository, try await forge.run(of: repository)))
        }
        let inbox = try await forge.inbox()
        (notifications, reviews) = (inbox?.notifications, inbox?.reviews ?? [])
        return .newData
    }

    private var failed: [Forge.Repository] { runs.filter { $0.run?.state == .failed }.map(\.repository) }

    var summary: WidgetSummary {
        var parts: [String] = []
        if !failed.isEmpty { parts.append("\(failed.map(\.name).joined(separator: ", ")) failed") }
        if !reviews.isEmpty { parts.append("\(reviews.count) to review") }
        if let notifications, notifications > 0 {
            parts.append(notifications < 50 ? "\(notifications) notifications" : "50 notifications or more")
        }
        let text = parts.isEmpty ? ForgeRun.words(of: runs.map(\.run?.state)) : parts.joined(separator: ", ")
        var summary = WidgetSummary(
            text, short: failed.isEmpty ? "\(reviews.count + (notifications ?? 0))" : "✗",
            severity: failed.isEmpty ? .normal : .critical)
        if let notifications { summary.metrics["notifications"] = Double(notifications) }
        return summary
    }

    var body: some View {
        for (repository, run) in runs {
            HStack {
                if let url = run?.url, url.hasPrefix("https://") {
                    Link(title(of: repository), destination: url)
                } else {
                    Text(title(of: repository))
                }
                Spacer()
                Text(run?.words ?? "no run").foregroundColor(color(of: run))
            }
        }
        for review in reviews.prefix(extensionContext.widgetActiveDisplayMode == .expanded ? 10 : 2) {
            Link("Review: \(review.title)", destination: review.url)
        }
        if let notifications, notifications > 0 {
            Text("\(notifications) notifications").foregroundColor(.secondary)
        }
    }

    private func title(of repository: Forge.Repository) -> String {
        "\(repository.name)\(repository.branch.map { " · \($0)" } ?? "")"
    }

    private func color(of run: ForgeRun?) -> Color {
        switch run?.state {
        case .passed: .good
        case .failed: .critical
        case .running, .other, nil: .secondary
        }
    }
}
