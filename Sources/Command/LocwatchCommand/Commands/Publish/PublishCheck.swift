import LocationCore
import LocationPublishing
import LocwatchArguments
import LocwatchSession
import LocwatchTerminal

/// The output of `publish --check`: every setting that is in effect, without a connection.
///
/// A configuration of a service is shown as the service will use it.
struct PublishCheck: SessionHolder {
    private let setup: PublishSetup
    let session: CommandSession
    private let service: PublishService?

    init(_ session: CommandSession) throws(StartFailure) {
        var session = session
        service = PublishService(configuration: session.settings.configuration)
        if let service {
            session.settings = service.completed(session.settings)
            session.context.environment = service.environment(session.context.environment)
        }
        setup = try PublishSetup(session)
        self.session = session
    }

    func print() -> ExitCode {
        let width = context.console.outputColumns
        let lines = Paragraph.table(rows, indent: 0, column: 12, width: width) + ["the settings are correct"]
        return session.show(lines.joined(separator: "\n") + "\n")
    }

    var rows: [(term: String, meaning: String)] {
        var rows = service?.rows ?? []
        rows += [("source", source.description.printable), ("publish", occasion)]
        rows += settings.fences.map { ("fence", $0.name.printable) }
        rows.append(("queue", queue))
        for target in setup.targets {
            rows.append(("target", "\(target.word): \(target.word.scheme.summary)"))
            rows += means(of: target).map { ("", $0) }
        }
        rows += options
        let warnings = setup.warnings + (service?.warnings(settings.publishing) ?? [])
        rows += warnings.map { ("warning", $0.printable) }
        return rows
    }

    private func means(of target: PreparedTarget) -> [String] {
        var parts: [String] = []
        if case .mqtt(let settings, _) = target.encoder {
            parts.append("client \(settings.clientID.printable)")
            if let user = settings.user {
                parts.append("user \(user.printable) \(settings.password == nil ? "without" : "with") a password")
            }
            parts.append(
                "over MQTT 5 the broker refuses a position that is forbidden; over MQTT 3.1.1 it acknowledges and drops it, which "
                    + "'locwatch doctor TARGET' finds out")
        }
        return parts + [fateOfOldPositions(at: target)]
    }

    private func fateOfOldPositions(at target: PreparedTarget) -> String {
        switch (target.delivery.backlog, target.encoder) {
        case (.newestFirst, _): "after an outage the newest position first, then all in the order of time"
        case (.ordered, _): "after an outage every position in the order of time"
        case (.none, .mqtt), (.none, .http): "after an outage only the newest position"
        case (.none, .connection): "the program gets only the positions that are sent while it is connected"
        case (.none, .datagrams): "each position is sent once, and nothing acknowledges it"
        case (.none, .path(_, .file, _, _)): "the file has only the newest position"
        case (.none, .listener), (.none, .path): "a program gets only the positions that are sent while it reads"
        }
    }

    /// The options for targets that were given; secrets are named and not shown.
    private var options: [(term: String, meaning: String)] {
        let options = settings.publishing.options
        let headers = options.headers.fields
        let values: [(String, String?)] = [
            ("device-name", options.deviceName),
            ("header", headers.isEmpty ? nil : EnglishList.and(headers.map(\.name))),
            ("body", options.body.map { $0 == .influx ? "InfluxDB's line protocol" : "from a template" }),
            ("password-file", settings.publishing.passwordFile),
        ]
        return values.compactMap { name, value in value.map { ("option", "\(name): \($0.printable)") } }
    }

    private var occasion: String {
        let options = setup.schedule
        var reasons: [String] = []
        if let distance = options.distance { reasons.append("\(words(distance)) m from the last one") }
        if let interval = options.interval {
            reasons.append("\(interval.spoken) after \(reasons.isEmpty ? "the last one" : "it")")
        }
        if let angle = options.angle { reasons.append("with a course changed by \(words(angle)) degrees") }
        let which = reasons.isEmpty ? "each position" : "a position " + EnglishList.or(reasons)
        var only: [String] = []
        if let accuracy = settings.request.accuracy { only.append("accurate to \(words(accuracy)) m") }
        if let age = settings.request.maxAge { only.append("at most \(age.spoken) old") }
        let restriction = only.isEmpty ? "" : ", if it is " + EnglishList.and(only)
        let heartbeat = options.heartbeat.map { "; the last one again after \($0.spoken)" } ?? ""
        return which + restriction + heartbeat
    }

    private var queue: String {
        guard let folder = setup.folder else { return "in memory" }
        let age = setup.limits.age.map { ", at most \($0.spoken) old" } ?? ""
        let size = words((Double(setup.limits.size) / 1_048_576 * 10).rounded() / 10)
        let waiting = QueueSummary(folder).map { ", with \($0.records.counting("record")) now" } ?? ""
        return "\(folder.printable), up to \(size) MiB\(age)\(waiting)"
    }

    private func words(_ number: Double) -> String {
        TextBuffer.text { $0.put(fixed: number, decimals: number == number.rounded() ? 0 : 1) }
    }
}
