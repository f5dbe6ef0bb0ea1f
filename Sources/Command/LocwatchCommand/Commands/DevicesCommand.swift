import LocationCore
import LocwatchArguments
import LocwatchPrinting
import LocwatchSession
import LocwatchTerminal

/// The command `devices`, which lists the receivers of the daemon and their activity.
final class DevicesCommand: Command, ListingCommand {
    static let entry = CommandEntry(
        "devices", operands: [.source],
        options: [
            "color", "device", "duration", "follow", "json", "no-reconnect", "quiet", "rate", "stale", "timeout",
            "utc", "verbose",
        ],
        // A line of the configuration would change a receiver whenever receivers are listed.
        optionsOfSection: ["rate"],
        summary: "list the receivers, or the devices of a fleet",
        description: [
            "Shows path, driver, speed and current activity of each one. Of a fleet it shows the last known position of each "
                + "device that is heard within three seconds, and of those that the broker remembers. --follow keeps the table "
                + "current.",
            "--rate sets how often the receiver of a gpsd of this machine or of a serial line reports, in its memory only: without "
                + "power it forgets that. It is measured, and if the receiver has not taken it, the rate before is set again, "
                + "and the exit code is 1. 'locwatch help receiver' has more.",
        ],
        examples: [
            "locwatch devices": "list the receivers",
            "locwatch devices --follow": "keep running and print changes",
            "locwatch devices --rate show": "the rate of the receiver, and what is possible",
            "locwatch devices --rate 5": "let it report five times a second",
            "locwatch devices --follow mqtt://broker.local": "see a fleet move",
        ])

    /// The time limit for a list, which covers the start of a private gpsd and the detection of a silent receiver.
    private static let limit = Duration.seconds(8)
    /// The interval between requests; two answers differ in what shows the activity of a device.
    private static let interval = Duration.seconds(2)
    private static let followingInterval = Duration.seconds(4)

    let session: CommandSession
    let follows: Bool
    let output: OutputChannel
    var json: JSONPrinter
    private var table: DeviceTable
    private var overview: DeviceList
    weak var loop: SessionLoop?

    static func check(_ invocation: Invocation) throws(UsageError) {
        try invocation.checkOutput()
        try RateCommand.check(invocation)
    }

    static func run(_ session: CommandSession) -> ExitCode {
        if let choice = session.settings.reading.rate { return RateCommand(choice, session).run() }
        return session.source.isFleet ? FleetOverview(session).run() : DevicesCommand(session).run()
    }

    private init(_ session: CommandSession) {
        follows = session.settings.reading.follows
        self.session = session.ofListing(within: Self.limit)
        json = session.json
        output = session.framedOutput
        let isLive = session.source.isLive
        overview = DeviceList(isLive: isLive)
        table = DeviceTable(showsTime: follows, isLive: isLive, style: session.style, localTime: session.localTime)
    }

    private func run() -> ExitCode {
        var plan = plan
        plan.request.deviceInterval = follows ? Self.followingInterval : Self.interval
        return session.run(plan, finish: finish)
    }

    var isUnreached: Bool { source.isLive && !overview.hasList && overview.devices.isEmpty }

    func list() throws(OutputFailure) {
        if !follows { try show(overview.devices) }
    }

    var isEmpty: Bool { overview.devices.isEmpty }

    func explainNothing() -> ExitCode {
        let doctor = source.doctor
        if !source.isLive {
            narrator.say("\(source.description) names no receiver")
        } else if overview.hasList {
            narrator.say("gpsd has no receiver")
            if let doctor { narrator.say("\(doctor) explains what to do") }
        } else {
            narrator.sayFailure("gpsd did not list its receivers in time")
            if let doctor { narrator.sayFailure("\(doctor) finds the reason") }
            return .unavailable
        }
        return .done
    }

    private func show(_ devices: [DeviceStatus]) throws(OutputFailure) {
        guard let now = loop?.now else { return }
        guard isJSON else {
            for status in devices { table.append(status, at: now.wall) }
            let kind: BacklogKind = follows ? .replaceable(devices.first?.path ?? "") : .other
            return try output.put(kind) { table.write(into: &$0) }
        }
        for status in devices {
            let update = LocationUpdate(.device(status), at: now)
            try putLine(of: status.path) { json.print(.update(update), SessionView(), into: &$0) }
        }
    }

    func process(_ update: TrackedUpdate, _ view: SessionView) throws(OutputFailure) -> SessionEnd.Reason? {
        guard case .update(let update, _) = update else { return nil }
        if let device = settings.request.device, case .device(let status) = update.event,
            !NamePattern(device).matches(status.path)
        {
            return nil
        }
        let changed = overview.note(update)
        if follows {
            if let changed { try show([changed]) }
            try printFailure(update)
            return nil
        }
        return overview.isSettled && source.isLive ? .ended : nil
    }
}
