/// An option of an earlier release, and what takes its place.
struct FormerOption {
    let name: String
    let advice: String

    private static let all = [
        FormerOption(
            name: "backlog-rate",
            advice: "a target sets the pace by itself; with ?newest it gets only the newest position after an outage"),
        FormerOption(name: "from-start", advice: "a target that is new to a queue gets what follows its first start"),
        FormerOption(
            name: "skip-rejected", advice: "a record whose content a target refuses five times is set aside by itself"),
    ]

    /// Returns what takes the place of an option that is gone, if it was one.
    static func advice(for name: String) -> String? { all.first { $0.name == name }?.advice }
}
