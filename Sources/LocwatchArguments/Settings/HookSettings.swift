/// The options of hooks.
package struct HookSettings: Hashable, Sendable {
    package var hooks: [Hook] = []
    /// Whether a recording runs hooks.
    package var runsOnReplay = false
    /// Whether commands are run by a shell.
    package var usesShell = false
    package var timeout = Duration.seconds(30)
}
