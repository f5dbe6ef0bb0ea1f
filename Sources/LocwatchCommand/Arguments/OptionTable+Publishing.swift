import LocationPublishing
import LocwatchArguments

/// The options of `publish`, and those that describe a target to any command.
extension OptionTable {
    static let publishing: [OptionEntry] = [
        .value("to", .target, "publish to TARGET too; can be given several times", in: .publishing) {
            $0.publishing.targets.append($1)
        },
        .value(
            "publish", .target, "publish the position to TARGET, and succeed only when it was taken", in: .publishing
        ) { $0.publishing.targets.append($1) },
        .value(
            "config", .path, "read targets and options from FILE, one per line, as in 'to mqtt://HOST/...'",
            in: .publishing
        ) { $0.publishing.configuration = $1 },
        .flag("check", "check the settings, show them as text and exit", in: .publishing) {
            $0.publishing.checksOnly = true
        },
        .value(
            "angle", ValueSyntax<Double>.degrees, "publish when the course has changed by DEGREES", in: .publishing
        ) { $0.publishing.angle = $1 },
        .value(
            "heartbeat", .duration(atLeast: .seconds(1)),
            "publish the position again after DURATION, at least 1s, without a message",
            in: .publishing
        ) { $0.publishing.heartbeat = $1 },
        .value(
            "queue", .folder, "keep what is not sent yet in the folder DIR (default in ~/.local/state/locwatch)",
            in: .publishing
        ) { $0.publishing.queueFolder = $1 },
        .flag("no-queue", "keep what is not sent yet in memory only", in: .publishing) {
            $0.publishing.usesQueueFolder = false
        },
        .flag("from-start", "send a new target what is queued already, not only what follows", in: .publishing) {
            $0.publishing.options.startsAtOldest = true
        },
        .value(
            "queue-size", .byteCount, "drop the oldest records beyond SIZE (default 64MiB)", in: .publishing
        ) { $0.publishing.queueSize = $1 },
        .value(
            "queue-age", .duration(atLeast: .seconds(60)),
            "drop records older than DURATION, at least 60s (default never)",
            in: .publishing
        ) { $0.publishing.queueAge = $1 },
        .value(
            "backlog-rate", ValueSyntax<Double?>.backlogRate,
            "send at most N old records per second after an outage (default 100)", in: .publishing
        ) { $0.publishing.options.backlogRate = $1 },
        .flag("no-backlog", "send no old records after an outage", in: .publishing) {
            $0.publishing.options.sendsBacklog = false
        },
        .flag("skip-rejected", "skip a record that a target refuses, instead of waiting", in: .publishing) {
            $0.publishing.options.skipsRejected = true
        },
    ]

    static let targets: [OptionEntry] = [
        .value(
            "device-name", .text("NAME", allowed: "a name"),
            "name of this machine for the targets (default its host name)",
            in: .targets
        ) { $0.publishing.options.deviceName = $1 },
        .value(
            "tracker-id", .text("ID", allowed: "one or two characters", longest: 2),
            "OwnTracks: the characters on the map (default the last two of the device)", in: .targets
        ) { $0.publishing.options.trackerID = $1 },
        .value(
            "client-id", .text("ID", allowed: "1 to 23 bytes", longest: 23),
            "MQTT: the name of the connection, which must be unique (default from the host name and the target)",
            in: .targets
        ) { $0.publishing.options.clientID = $1 },
        .value(
            "discovery-prefix", .topic, "Home Assistant: the first part of the topics (default homeassistant)",
            in: .targets
        ) { $0.publishing.options.discoveryPrefix = $1 },
        .value(
            "header", .header, "HTTP: send this header too; can be given several times", in: .targets
        ) {
            // The syntax has set the header before.
            try? $0.publishing.options.headers.set($1.name, $1.value)
        },
        .value(
            "method",
            .word(
                KeyValuePairs(
                    dictionaryLiteral: ("get", HTTPMethod.get), ("post", .post), ("put", .put), ("patch", .patch))),
            "webhook: the method (default get for an address with values, else post)", in: .targets
        ) { $0.publishing.options.method = $1 },
        .value(
            "body", .publishTemplate, "webhook: the body, with values such as %{lat} (default the JSON of a position)",
            in: .targets
        ) { $0.publishing.options.body = $1 },
    ]

    static let connection: [OptionEntry] = [
        .value(
            "password-file", .path,
            "read the password of the user from FILE, which others must not be able to read (default "
                + "LOCWATCH_PASSWORD, or the credential password of systemd)", in: .connection
        ) { $0.publishing.passwordFile = $1 },
        .value(
            "ca-file", .path, "trust the certificate authorities in FILE (default the system's)", in: .connection
        ) { $0.publishing.options.encryption.authorityFile = $1 },
        .value(
            "cert", .path, "present the client certificate in FILE, which also has its key unless --key is given",
            in: .connection
        ) { $0.publishing.options.encryption.certificateFile = $1 },
        .value("key", .path, "the file with the key of the client certificate", in: .connection) {
            $0.publishing.options.encryption.keyFile = $1
        },
    ]
}
