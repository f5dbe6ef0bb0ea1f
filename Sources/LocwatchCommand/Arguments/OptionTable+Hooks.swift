import LocwatchArguments

/// The options of hooks.
extension OptionTable {
    static let hooks: [OptionEntry] = [
        .value(
            "on", .hook,
            "run COMMAND at EVENT: "
                + EnglishList.or(
                    HookTrigger.Kind.allCases.map { $0.concernsFence ? "\($0.rawValue):NAME" : $0.rawValue })
                + "; can be given several times",
            in: .hooks
        ) { $0.hooks.hooks.append($1) },
        .value(
            "on-timeout", .duration(), "end a command that runs longer than DURATION (default 30s)", in: .hooks
        ) { $0.hooks.timeout = $1 },
        .flag("on-replay", "run commands also while a recording is played", in: .hooks) {
            $0.hooks.runsOnReplay = true
        },
        .flag("on-shell", "run commands with /bin/sh -c", in: .hooks) { $0.hooks.usesShell = true },
    ]
}
