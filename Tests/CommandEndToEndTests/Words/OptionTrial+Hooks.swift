/// The trials of the options of hooks.
extension OptionTrial {
    private static let walk = "--pace max $FIXTURES/walk/session.json"

    static let hooks: [OptionTrial] = [
        .init("on", "found=echo here", in: "$LW --on-replay @ \(walk)", shows: "locwatch: on found: here\n"),
        .init("on-replay", in: "$LW --on 'found=echo here' @ \(walk)", shows: "locwatch: on found: here\n"),
        .init(
            "on-shell", in: "$LW --on-replay --on 'found=echo $((6 * 7))' @ \(walk)",
            shows: "locwatch: on found: 42\n"),
        .init(
            "on-timeout", "100ms", in: "$LW --on-replay --on 'found=sleep 3' @ \(walk)",
            shows: "did not end within 0.1 s"),
    ]
}
