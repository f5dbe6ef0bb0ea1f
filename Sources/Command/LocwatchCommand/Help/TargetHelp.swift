import LocationPublishing

/// The forms of the TARGET word, as the help and the manual page list them.
enum TargetHelp {
    static let rows: [(term: String, meaning: String)] = TargetScheme.all.map { ($0.example, $0.summary) }

    static var rule: String { ManualText.paragraphs(of: "TARGET")[0] }
}
