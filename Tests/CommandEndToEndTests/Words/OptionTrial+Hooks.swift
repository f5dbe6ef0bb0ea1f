/// The trials of the options of hooks.
extension OptionTrial {
    private static let walk = "--pace max $FIXTURES/walk/session.json"

    static let hooks: [OptionTrial] = [
        .init("on", "found=echo $((6 * 7))", in: "$LW @ \(walk)", shows: "locwatch: on found: 42\n")
    ]
}
