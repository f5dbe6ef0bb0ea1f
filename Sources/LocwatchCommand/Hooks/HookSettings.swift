import LocationCore

/// The options of hooks.
struct HookSettings: Hashable, Sendable {
    var hooks: [Hook] = []
    /// Whether a recording runs hooks.
    var runsOnReplay = false
    /// Whether commands are run by a shell.
    var usesShell = false
    var timeout = Duration.seconds(30)
}
