// SPDX-License-Identifier: MIT
import TodayHTTP
import TodayKit

/// A feed: RSS 1.0 and 2.0, and Atom (RFC 4287).
struct Feed {
    struct Entry: Equatable {
        /// What identifies an entry: its identifier, or otherwise its link, or its title.
        let id: String
        let title: String
        /// A URL of http or https; nil if there is none.
        let url: String?
    }

    private static let most = 50

    private(set) var entries: [Entry] = []

    static func fetch(_ url: String) async throws -> Feed {
        var request = HTTPServer.request(for: url, insteadBy: "FEED_SERVER")
        request.sizeLimit = 8 << 20
        request.headers.append("Accept", "application/atom+xml, application/rss+xml, application/xml, text/xml")
        guard let feed = Feed(xml: try await request.send().body) else {
            request.cache?.forget(request.url)
            throw WidgetFailure("the answer is neither RSS nor Atom; the page may name its feed")
        }
        return feed
    }

    init() {}

    /// Nil if it is not a feed.
    init?(xml: [UInt8]) {
        var reader = XMLReader(xml)
        var isFeed = false
        var entry: (id: String?, title: String, link: String?)?
        var text = ""
        while let token = reader.next(), entries.count < Self.most {
            switch token {
            case .start(let name, let attributes):
                switch name {
                case "rss", "feed", "RDF": isFeed = true
                case "item", "entry": entry = (nil, "", nil)
                // In Atom, the link is in an attribute; the one without a relation, or the alternate, is the page.
                case "link":
                    if entry != nil, let target = attributes["href"], entry?.link == nil,
                        attributes["rel"] == nil || attributes["rel"] == "alternate"
                    {
                        entry?.link = target
                    }
                default: break
                }
                text = ""
            case .text(let piece): text += piece
            case .end(let name):
                guard entry != nil else { continue }
                switch name {
                case "title" where entry?.title == "": entry?.title = Text.line(of: Self.plain(text))
                case "link" where entry?.link == nil && !text.isEmpty: entry?.link = Self.plain(text)
                case "guid", "id": entry?.id = Self.plain(text)
                case "item", "entry":
                    if let entry, let made = Entry(entry.id, entry.title, entry.link) { entries.append(made) }
                    entry = nil
                default: break
                }
                text = ""
            }
        }
        if !isFeed { return nil }
    }

    /// Text in one line, without the tags that titles of some feeds contain.
    private static func plain(_ text: String) -> String {
        var plain = ""
        var isTag = false
        for letter in text {
            if letter == "<" {
                isTag = true
            } else if letter == ">", isTag {
                isTag = false
            } else if !isTag {
                plain.append(letter)
            }
        }
        // A title in HTML contains references inside of references.
        return XMLReader.resolved(plain).split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
    }
}

extension Feed.Entry {
    fileprivate init?(_ id: String?, _ title: String, _ link: String?) {
        let isPage = link.map { link in
            (link.hasPrefix("https://") || link.hasPrefix("http://")) && link.utf8.count < 4_096
                && Text.complaint(aboutLine: link) == nil
        }
        guard let key = [id, link, title].compactMap({ $0 }).first(where: { !$0.isEmpty }) else { return nil }
        self.init(
            id: key, title: title.isEmpty ? "(no title)" : title,
            url: isPage == true ? link : nil)
    }
}
