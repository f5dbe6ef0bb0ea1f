import LocationPublishing

/// The part of a SOURCE word after its question mark: parameters of the source, as in `?speed=9600&corrections=./rtcm`.
struct SourceQuery {
    /// A parameter as it was given, and its name and value.
    struct Item {
        let text: String
        let name: String
        let value: String?
    }

    /// The word before the question mark.
    let subject: String
    let items: [Item]

    init(_ word: String) {
        let parts = word.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        subject = String(parts[0])
        items = (parts.count == 2 ? parts[1] : "").split(separator: "&").map { part in
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return Item(
                text: String(part), name: String(pair[0]),
                value: pair.count == 2 ? PercentEncoding.decode(pair[1]) : nil)
        }
    }

    /// The parameters as they were given, with a question mark before them, or no text.
    var text: String { items.isEmpty ? "" : "?" + items.map(\.text).joined(separator: "&") }
}
