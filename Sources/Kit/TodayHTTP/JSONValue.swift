// SPDX-License-Identifier: MIT
import JSON

/// A value of an answer in JSON. A missing value is an empty one, at any depth:
///
///     let answer = try await server.request("/v1/forecast", ["latitude": "46.9"]).send().json()
///     let degrees = answer["current"]["temperature_2m"].double
public struct JSONValue: Sendable {
    let json: JSON?

    init(_ json: JSON?) { self.json = json == .null ? nil : json }

    /// Reads a text, such as a recorded answer in a test.
    public init(parsing text: some StringProtocol) throws(HTTPError) { try self.init(bytes: Array(text.utf8)) }

    init(bytes: [UInt8]) throws(HTTPError) {
        do throws(JSONSyntaxError) {
            self.init(try JSON.parse(bytes, maxValues: 1 << 20))
        } catch {
            throw .badAnswer("the answer is not JSON: \(error)")
        }
    }

    /// The value of a key of an object.
    public subscript(key: String) -> JSONValue { JSONValue(json?[key]) }

    /// An element of an array, the first at 0; a negative index counts from the end.
    public subscript(index: Int) -> JSONValue {
        guard let elements = json?.arrayValue else { return JSONValue(nil) }
        let place = index < 0 ? elements.count + index : index
        return JSONValue(elements.indices.contains(place) ? elements[place] : nil)
    }

    /// The value at a path of keys and indices: `data.0.price`. An empty path is this value.
    public func at(_ path: String) -> JSONValue {
        path.split(separator: ".").reduce(self) { value, part in
            if let index = Int(part), value.json?.arrayValue != nil { return value[index] }
            return value[String(part)]
        }
    }

    /// Whether there is a value other than null.
    public var exists: Bool { json != nil }
    /// A text.
    public var string: String? { json?.stringValue }
    /// A whole number, even if it is written with a fraction of 0 or as a string.
    public var int: Int? { json?.intValue.map { Int($0) } ?? string.flatMap { Int($0) } }
    /// A number, even if it is written as a string, as financial APIs do.
    public var double: Double? {
        (json?.doubleValue ?? string.flatMap { Double($0) }).flatMap { $0.isFinite ? $0 : nil }
    }
    /// True or false.
    public var bool: Bool? { json?.boolValue }
    /// The elements of an array; none of any other value.
    public var array: [JSONValue] { (json?.arrayValue ?? []).map { JSONValue($0) } }
    /// The elements of an array that must exist: an answer of another form is a failure, not an empty list.
    public func elements() throws(HTTPError) -> [JSONValue] {
        if json?.arrayValue == nil { throw .badAnswer("the answer has another form: a list is missing") }
        return array
    }
    /// The value as a person reads it: a string as it is, a number in its shortest form, yes or no.
    public var text: String? {
        switch json {
        case .string(let text): text
        case .bool(let isTrue): isTrue ? "yes" : "no"
        case .int(let number): "\(number)"
        case .double(let number): "\(number)"
        case .null, .array, .object, nil: nil
        }
    }
}

extension HTTPResponse {
    /// The content as JSON.
    public func json() throws(HTTPError) -> JSONValue { try JSONValue(bytes: body) }
}
