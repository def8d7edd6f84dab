// SPDX-License-Identifier: MIT
import JSON
import Platform
import Spelling

/// A picture in a view. Content contains its bytes. Hosts get a name instead, with which they fetch the bytes once, so that
/// lists carry no pictures.
package enum PNG: Hashable, Sendable {
    /// A PNG file in base64.
    case data(String)
    /// The name that the daemon gives it: the same bytes have the same name.
    case named(String)

    package var name: String {
        switch self {
        case .named(let name): return name
        case .data(let base64):
            return StableHash(base64.utf8).value.digits(16, radix: 16)
        }
    }

    package enum Defect: Error {
        case tooLong, noPNG

        package var reason: String {
            switch self {
            case .tooLong: "is longer than \(ContentLimits.imageBytes) bytes"
            case .noPNG: "is not a PNG file in base64"
            }
        }
    }

    /// - Parameter base64: the file, without spaces.
    package init(base64: String) throws(Defect) {
        if base64.utf8.count > ContentLimits.imageBytes { throw .tooLong }
        // Every PNG file begins with these bytes; this is their base64 form.
        guard base64.hasPrefix("iVBORw0KGg"), Base64.isText(base64) else { throw .noPNG }
        self = .data(base64)
    }

    // MARK: JSON

    /// Reads its field of a view. Only a daemon sends names.
    static func optional(in field: JSONField) throws(JSONMismatch) -> PNG? {
        if field.isTolerant, let name = try field.optional("image") { return .named(try name.string()) }
        guard let png = try field.optional("png") else { return nil }
        let text = try png.string()
        do throws(Defect) {
            return try PNG(base64: text)
        } catch {
            throw png.fail(error.reason)
        }
    }

    var member: (key: String, value: JSON) {
        switch self {
        case .data(let base64): ("png", .string(base64))
        case .named(let name): ("image", .string(name))
        }
    }
}

// MARK: - The pictures of content

extension Content {
    /// The content for hosts: each picture has its name in place of its bytes.
    package var namingPictures: Content {
        guard compact?.hasPicture ?? false || expanded?.hasPicture ?? false else { return self }
        var content = self
        content.compact = compact?.namingPictures
        content.expanded = expanded?.namingPictures
        return content
    }

    /// The bytes of the picture with this name, in base64.
    package func picture(named name: String) -> String? {
        let pictures = (compact?.pictures ?? []) + (expanded?.pictures ?? [])
        for case .data(let base64) in pictures where PNG.data(base64).name == name { return base64 }
        return nil
    }

    /// The names of all its pictures, each once.
    package var pictureNames: [String] {
        var seen: Set<String> = []
        return ((compact?.pictures ?? []) + (expanded?.pictures ?? [])).map(\.name).filter { seen.insert($0).inserted }
    }
}

extension View {
    private var ownPicture: PNG? {
        switch self {
        case .image(let image): if case .png(let png) = image.source { png } else { nil }
        case .item(let item): item.picture
        default: nil
        }
    }

    fileprivate var hasPicture: Bool { ownPicture != nil || children.contains { $0.hasPicture } }

    fileprivate var pictures: [PNG] { (ownPicture.map { [$0] } ?? []) + children.flatMap(\.pictures) }

    package var namingPictures: View {
        var view = self
        if case .image(var image) = self, case .png(let png) = image.source {
            image.source = .png(.named(png.name))
            view = .image(image)
        } else if case .item(var item) = self {
            item.picture = item.picture.map { .named($0.name) }
            view = .item(item)
        }
        return view.mapChildren(\.namingPictures)
    }
}
