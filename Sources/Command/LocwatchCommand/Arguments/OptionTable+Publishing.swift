import LocationPublishing
import LocwatchArguments

/// The options of `publish`, and those that describe a target to any command.
extension OptionTable {
    static let publishing: [OptionEntry] = [
        .value(
            "to", .target, "send to TARGET too",
            more: "Can be given several times."
        ) { $0.publishing.targets.append($1) },
        .flag("check", "check and show the settings, and exit") { $0.publishing.checksOnly = true },
        .value(
            "angle", ValueSyntax<Double>.degrees, "send when the course changes by DEGREES"
        ) { $0.publishing.angle = $1 },
        .value(
            "heartbeat", .duration(atLeast: .seconds(1)), "send again after DURATION",
            more: "Sends the last position again when nothing was sent for DURATION, which is at least 1s."
        ) { $0.publishing.heartbeat = $1 },
        .value(
            "queue", as: "DIR", .queuePlace, "where to keep what is not sent yet",
            more: "The default is in ~/.local/state/locwatch; memory keeps it as long as the command runs, as for "
                + "targets that take nothing later."
        ) {
            $0.publishing.queueFolder = $1
            $0.publishing.usesQueueFolder = $1 != nil
        },
        .value(
            "queue-limit", as: "SIZE|AGE", .queueLimit, "drop the oldest records beyond SIZE or AGE",
            more: "As in 64MiB or 7d; both can be given. The default is 64MiB."
        ) {
            switch $1 {
            case .size(let size): $0.publishing.queueLimits.size = size
            case .age(let age): $0.publishing.queueLimits.age = age
            }
        },
    ]

    static let targets: [OptionEntry] = [
        .value(
            "device-name", .name, "name of this machine for the targets",
            more: "The default is its host name."
        ) { $0.publishing.options.deviceName = $1 },
        .value("header", .header, "HTTP: send this header too", more: "Can be given several times.") {
            // The syntax has set the header before.
            try? $0.publishing.options.headers.set($1.name, $1.value)
        },
        .value(
            "body", .recordBody, "HTTP, text: the content, such as '%{lat} %{lon}'",
            more:
                "Of a webhook, whose default is the JSON of a position, and of udp+text:// and tcp+text://. influx is a "
                + "line of InfluxDB's line protocol."
        ) { $0.publishing.options.body = $1 },
        .value(
            "password-file", .path, "read the password from FILE",
            more: "Others must not be able to read it. The default is LOCWATCH_PASSWORD, or the credential password of "
                + "systemd."
        ) { $0.publishing.passwordFile = $1 },
    ]
}
