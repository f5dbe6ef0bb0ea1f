/// The trials of the options of `publish` and of those that describe a target.
extension OptionTrial {
    private static let check = "$LW publish --check udp://127.0.0.1:1 \(walk)"
    private static let webhook = "$LW publish --check https://127.0.0.1:1/hook \(walk)"

    static let publishing: [OptionTrial] = [
        .init("to", "tcp-listen://:10110", in: check, shows: "tcp-listen://:10110"),
        .init(
            "check", in: "$LW publish --queue memory udp://127.0.0.1:1 \(walk)", shows: "the settings are correct"),
        .init("angle", "30", in: check, shows: "30 degrees"),
        .init("heartbeat", "5m", in: check, shows: "the last one again after 5 min"),
        .init("queue", "kept", in: check, shows: "queue       kept, up to"),
        .init("queue-limit", "2MiB", in: "$LW publish --check mqtt://localhost/a \(walk)", shows: "up to 2 MiB"),
        .init("backlog-rate", "7", in: "$LW publish --check mqtt://localhost/a \(walk)", shows: "7 per second"),
        .init("from-start", in: check, shows: "a new target gets what is queued already"),
        .init("skip-rejected", in: check, shows: "skip-rejected"),
        .init(
            "device-name", "boat", in: "$LW publish --check cot+udp://127.0.0.1:1 \(walk)",
            shows: "device-name: boat"),
        .init("header", "Token: geheim", in: webhook, shows: "header: Token", hides: "geheim"),
        .init("body", "%{lat}", in: webhook, shows: "body: from a template"),
        .init(
            "password-file", "secret",
            in: "echo geheim >secret; chmod 600 secret; "
                + "$LW publish --check overland+https://127.0.0.1:1/ \(walk)",
            shows: "password-file: secret", hides: "geheim"),
    ]
}
