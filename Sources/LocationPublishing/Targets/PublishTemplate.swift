import LocationCore

/// An address with words such as `%{lat}`, which stand for values of a record.
///
/// Values are percent-encoded, so that none can become another part of the address. The value of a word is empty if the
/// record does not have it.
public struct PublishTemplate: Hashable, Sendable {
    /// The words, in the order in which messages list them.
    public static let words = [
        "lat", "lon", "time", "unix", "alt", "speed", "course", "eph", "epv", "mode", "used", "device", "occasion",
        "fence",
    ]

    /// The reason for which a text is not a template.
    public enum Fault: Error, Hashable, Sendable {
        /// A word is not among the known ones.
        case unknownWord(String)
        /// A word does not end.
        case unfinished
    }

    private enum Part: Hashable, Sendable {
        case text(String)
        case word(String)
    }

    private var parts: [Part] = []

    /// Creates a template from its text.
    public init(_ text: String) throws(Fault) {
        var rest = Substring(text)
        while let start = rest.firstIndex(of: "%"), let brace = Self.brace(in: rest, after: start) {
            guard let end = rest[brace...].firstIndex(of: "}") else { throw .unfinished }
            let word = String(rest[brace..<end])
            guard Self.words.contains(word) else { throw .unknownWord(word) }
            parts += [.text(String(rest[..<start])), .word(word)]
            rest = rest[rest.index(after: end)...]
        }
        parts.append(.text(String(rest)))
    }

    /// Returns the position after `%{`, if that stands at an index; other percent signs belong to the address.
    private static func brace(in text: Substring, after start: Substring.Index) -> Substring.Index? {
        let next = text.index(after: start)
        return next < text.endIndex && text[next] == "{" ? text.index(after: next) : nil
    }

    /// Whether there is any word.
    public var hasWords: Bool { parts.count > 1 }

    /// Returns the text for a record.
    public func text(for record: PublishRecord) -> String {
        var text = ""
        for part in parts {
            switch part {
            case .text(let fixed): text += fixed
            case .word(let word): text += URLQuery.encoded(Self.value(of: word, in: record))
            }
        }
        return text
    }

    private static func value(of word: String, in record: PublishRecord) -> String {
        let location = record.location
        func number(_ value: Double?, _ decimals: Int) -> String {
            guard let value, value.isFinite else { return "" }
            return DecimalText.text { DecimalText.append(value, decimals: decimals, trimmed: true, to: &$0) }
        }
        return switch word {
        case "lat": number(location?.coordinate.latitude, 7)
        case "lon": number(location?.coordinate.longitude, 7)
        case "time": record.time.formatted(fractionDigits: 3)
        case "unix": String(Int64(record.time.wholeSeconds))
        case "alt": number(location?.altitudeMSL, 2)
        case "speed": number(location?.speed, 3)
        case "course": number(location?.course, 2)
        case "eph": number(location?.horizontalAccuracy, 2)
        case "epv": number(location?.verticalAccuracy, 2)
        case "mode": location.map { String(Int64($0.fix.rawValue)) } ?? ""
        case "used": record.satellitesUsed.map { String(Int64($0)) } ?? ""
        case "device": location?.device ?? ""
        case "occasion": record.occasion.word
        case "fence": record.occasion.fence ?? ""
        default: ""
        }
    }
}

extension PublishRecord.Occasion {
    /// The name of the occasion.
    public var word: String {
        switch self {
        case .moved: "moved"
        case .heartbeat: "heartbeat"
        case .manual: "manual"
        case .fence(let kind, _): kind.rawValue
        case .found: "found"
        case .lost: "lost"
        }
    }

    /// The name of the fence, if it is an event at one.
    public var fence: String? {
        if case .fence(_, let name) = self { name } else { nil }
    }
}
