/// The options of hooks.
package struct HookSettings: Hashable, Sendable {
    package var hooks: [Hook] = []
    /// Whether a recording runs hooks, which it does when its pace was chosen.
    package var runsOnReplay = false
}
