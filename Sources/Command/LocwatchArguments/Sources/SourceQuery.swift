import LocationPublishing

/// The part of a SOURCE word after its question mark: parameters of the source, as in `?speed=9600&corrections=./rtcm`.
struct SourceQuery {
    /// The word before the question mark.
    let subject: String
    let items: [QueryItem]

    init(_ word: String) {
        let parts = word.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        subject = String(parts[0])
        items = (parts.count == 2 ? parts[1] : "").split(separator: "&").map(QueryItem.init)
    }

    /// The parameters as they were given, with a question mark before them, or no text.
    var text: String { items.isEmpty ? "" : "?" + items.map(\.text).joined(separator: "&") }

    /// Throws an error that does not show the word if an address in a parameter has a password: every other error shows the
    /// word.
    func requireNoPassword() throws(UsageError) {
        for value in items.compactMap(\.value) {
            guard let colon = value.firstIndex(of: ":"), value[colon...].hasPrefix("://") else { continue }
            do throws(PublishError) {
                _ = try TargetWordParts(value[colon...].dropFirst("://".count), allowsEmptyHost: true)
            } catch {
                if error == .password { throw UsageError("invalid SOURCE: \(error)") }
            }
        }
    }
}
