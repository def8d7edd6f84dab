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
        guard let feed = Feed(xml: try await request.send().body, url: url) else {
            request.cache?.forget(request.url)
            throw WidgetFailure("the answer is neither RSS nor Atom; the page may name its feed")
        }
        return feed
    }

    init() {}

    /// Nil if it is not a feed.
    ///
    /// - Parameter url: where the feed is, to which its links are relative.
    init?(xml: [UInt8], url: String = "") {
        var reader = XMLReader(xml)
        var (isFeed, base) = (false, url)
        var entry: Draft?
        while let token = reader.next(), entries.count < Self.most {
            switch token {
            case .start("rss", let attributes), .start("feed", let attributes), .start("RDF", let attributes):
                isFeed = true
                if let own = attributes["base"] { base = Self.absolute(own, base) }
            case .start("item", _), .start("entry", _): entry = Draft()
            case .end("item"), .end("entry"):
                if let entry, let made = Entry(entry, base) { entries.append(made) }
                entry = nil
            default: entry?.read(token)
            }
        }
        if !isFeed { return nil }
    }

    /// What has been read of an entry.
    struct Draft {
        fileprivate var (id, title, link): (String?, String, String?) = (nil, "", nil)
        fileprivate var isPage = true
        /// The elements that are open within the entry. What is deeper belongs to another one, such as the title of the feed
        /// from which an entry was taken.
        private var open: [String] = []
        private var text = ""
        private static let deepest = 32

        fileprivate mutating func read(_ token: XMLReader.Token) {
            switch token {
            case .start(let name, let attributes):
                if open.isEmpty { begin(name, attributes) }
                if open.count < Self.deepest { open.append(name) }
            case .text(let piece): text += piece
            case .end(let name):
                // Broken markup does not close everything.
                guard let place = open.lastIndex(of: name) else { return }
                open.removeSubrange(place...)
                if open.isEmpty { end(name) }
            }
        }

        private mutating func begin(_ name: String, _ attributes: [String: String]) {
            text = ""
            switch name {
            // In Atom, the link is in an attribute; the one without a relation, or the alternate, is the page.
            case "link" where link == nil && (attributes["rel"] == nil || attributes["rel"] == "alternate"):
                link = attributes["href"]
            case "guid": isPage = attributes["isPermaLink"] != "false"
            default: break
            }
        }

        private mutating func end(_ name: String) {
            switch name {
            case "title" where title == "": title = Text.line(of: Feed.plain(text))
            case "link" where link == nil && !text.isEmpty: link = Feed.plain(text)
            case "guid", "id": id = Feed.plain(text)
            default: break
            }
        }
    }

    /// A link within a feed, by RFC 3986 as far as feeds have relative ones.
    static func absolute(_ link: String, _ base: String) -> String {
        let isAbsolute = link.prefix { $0 != "/" && $0 != "?" && $0 != "#" }.contains(":")
        let parts = base.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard !isAbsolute, !link.isEmpty, parts.count > 2 else { return link }
        if link.hasPrefix("//") { return parts[0] + link }
        let host = parts[0..<3].joined(separator: "/")
        if link.hasPrefix("/") { return host + link }
        let path = (parts.count > 3 ? parts[3] : "").prefix { $0 != "?" && $0 != "#" }
        let directory = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        return "\(host)/\(directory)\(link)"
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
    fileprivate init?(_ draft: Feed.Draft, _ base: String) {
        // An identifier is often a link itself.
        let url = draft.link.map { Feed.absolute($0, base) } ?? (draft.isPage ? draft.id : nil)
        let isPage = url.map { url in
            (url.hasPrefix("https://") || url.hasPrefix("http://")) && url.utf8.count < 4_096
                && Text.complaint(aboutLine: url) == nil
        }
        guard let key = [draft.id, draft.link, draft.title].compactMap({ $0 }).first(where: { !$0.isEmpty }) else {
            return nil
        }
        self.init(
            id: key, title: draft.title.isEmpty ? "(no title)" : draft.title, url: isPage == true ? url : nil)
    }
}
