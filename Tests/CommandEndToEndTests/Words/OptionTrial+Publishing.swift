/// The trials of the options of `publish` and of those that describe a target.
extension OptionTrial {
    private static let source = "$FIXTURES/walk/session.json"
    private static let check = "$LW publish --check udp://127.0.0.1:1 @ \(source)"
    private static let broker = "$LW publish --check mqtts://127.0.0.1:1/owntracks/anna/boat @ \(source)"
    private static let webhook = "$LW publish --check https://127.0.0.1:1/hook @ \(source)"

    static let publishing: [OptionTrial] = [
        .init("to", "tcp-listen://:10110", in: check, shows: "tcp-listen://:10110"),
        .init(
            "publish", "mqtt://127.0.0.1:1/owntracks/anna/boat", in: "$LW once -t 6s @ \(source)",
            shows: "not published to mqtt://127.0.0.1:1/owntracks/anna/boat: cannot connect"),
        .init(
            "config", "boat.conf", in: "echo 'heartbeat 5m' >boat.conf; \(check)",
            shows: "the last one again after 5 min",
            bad: nil),
        .init(
            "check", in: "$LW publish --no-queue udp://127.0.0.1:1 @ \(source)", shows: "the settings are correct"),
        .init("angle", "30", in: check, shows: "30 degrees"),
        .init("heartbeat", "5m", in: check, shows: "the last one again after 5 min"),
        .init("queue", "kept", in: check, shows: "queue       kept, up to"),
        .init("no-queue", in: check, shows: "queue       in memory"),
        .init("queue-size", "2MiB", in: check, shows: "up to 2 MiB"),
        .init("queue-age", "2h", in: check, shows: "at most 2 h old"),
        .init("backlog-rate", "7", in: check, shows: "7 per second"),
        .init("from-start", in: check, shows: "a new target gets what is queued already"),
        .init("no-backlog", in: check, shows: "old records are not sent"),
        .init("skip-rejected", in: check, shows: "skip-rejected"),
        .init(
            "device-name", "boat", in: "$LW publish --check cot+udp://127.0.0.1:1 @ \(source)",
            shows: "device-name: boat"),
        .init("tracker-id", "XY", in: broker, shows: "tracker-id: XY"),
        .init("client-id", "boat-1", in: broker, shows: "client boat-1"),
        .init(
            "discovery-prefix", "home", in: "$LW publish --check mqtt+ha://127.0.0.1:1 @ \(source)",
            shows: "discovery-prefix: home"),
        .init("header", "Token: secret", in: webhook, shows: "header: Token", hides: "secret"),
        .init("method", "put", in: webhook, shows: "method: PUT"),
        .init("body", "%{lat}", in: webhook, shows: "body: from a template", bad: "%{"),
        .init(
            "password-file", "secret",
            in: "echo geheim >secret; chmod 600 secret; "
                + "$LW publish --check overland+https://127.0.0.1:1/ @ \(source)",
            shows: "password-file: secret", hides: "geheim", bad: nil),
        .init("ca-file", "/etc/hostname", in: broker, shows: "ca-file: /etc/hostname", bad: nil),
        .init("cert", "/etc/hostname", in: broker, shows: "cert: /etc/hostname", bad: nil),
        .init("key", "/etc/hostname", in: "\(broker) --cert /etc/hosts", shows: "key: /etc/hostname", bad: nil),
    ]
}
