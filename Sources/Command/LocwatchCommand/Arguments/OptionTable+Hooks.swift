import LocwatchArguments

/// The option of hooks.
extension OptionTable {
    static let hooks: [OptionEntry] = [
        .value(
            "on", as: "EVENT=COMMAND", .hook, "run COMMAND at EVENT; see 'locwatch help hooks'",
            more: "EVENT is "
                + EnglishList.or(
                    HookTrigger.Kind.allCases.map { $0.concernsFence ? "\($0.rawValue):NAME" : $0.rawValue })
                + ", with /DURATION if the command may run longer than 30s, as in every/5m. Can be given several times.",
            in: .session
        ) { $0.plan.hooks.append($1) }
    ]
}
