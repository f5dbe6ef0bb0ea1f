import LocwatchTerminal

/// The consumers that a session has beside those of its command, as the settings ask for them.
///
/// They are made before the program is confined. The narrator comes after those that keep files, and the hooks after it, so that its
/// messages precede theirs.
struct SessionCompanions {
    private(set) var metrics: MetricsFile?
    private(set) var state: StateKeeper?
    private var hooks: HookConsumer?

    /// Creates none, for a session that has no effect beside the output.
    init() {}

    /// Creates those of a session, and opens or makes their files.
    init(_ session: CommandSession) throws(OutputFailure) {
        metrics = try MetricsFile(session.settings, session.narrator)
        state = try StateKeeper(session.settings, session.narrator)
        hooks = HookConsumer(session)
    }

    /// All of them and the narrator, in their order.
    func consumers(with narrator: Narrator) -> [any SessionConsumer] {
        ([metrics, state, narrator, hooks] as [(any SessionConsumer)?]).compactMap(\.self)
    }
}
