import LocationCore
import GPSDProtocol
import LocwatchArguments
import LocwatchPrinting
import LocwatchSession
import LocwatchTerminal

/// The command `devices` for a fleet: a table of its devices, once or kept current.
final class FleetOverview: ListingCommand {
    /// The time in which a broker sends what it has kept, and devices that report each second send a position.
    private static let limit = Duration.seconds(3)
    /// The shortest time between two lines of one device.
    private static let interval = Duration.seconds(1)

    let session: CommandSession
    let follows: Bool
    let output: OutputChannel
    var json: JSONPrinter
    private var table: FleetTable
    private var changes = FleetChanges()
    private var page: LivePage?
    private var next = Duration.zero
    weak var loop: SessionLoop?

    init(_ session: CommandSession) {
        follows = session.settings.reading.follows
        self.session = session.ofListing(within: Self.limit)
        json = session.json
        output = session.framedOutput
        table = FleetTable(showsTime: follows, style: session.style, localTime: session.localTime)
    }

    func run() -> ExitCode {
        if follows { page = session.page }
        var plan = plan
        plan.isBatch = false
        if page != nil { (plan.shows.line, plan.shows.failures) = (.none, .byCommand) }
        return session.run(plan, finish: finish)
    }

    var isUnreached: Bool { source.isLive && loop.map { !$0.view.hasHeard && $0.view.devices.isEmpty } ?? true }

    func list() throws(OutputFailure) {
        guard let loop else { return }
        if page != nil { return try refreshPage(at: loop.now) }
        try show(follows ? changes.take(from: loop.view) : FleetDevice.all(in: loop.view), at: loop.now)
    }

    var isEmpty: Bool { loop?.view.devices.isEmpty ?? true }

    func explainNothing() -> ExitCode {
        guard loop?.view.hasHeard ?? false || !source.isLive else {
            narrator.sayFailure("the broker did not answer in time")
            return .unavailable
        }
        let pattern = settings.request.device.map { " that matches \($0)" } ?? ""
        narrator.say("no device\(pattern) has published a position; --follow waits for them")
        return .done
    }

    private func show(_ devices: [FleetDevice], at now: Moment) throws(OutputFailure) {
        guard !devices.isEmpty else { return }
        guard isJSON else {
            for device in devices { table.append(device, at: now.wall) }
            return try output.put { table.write(into: &$0) }
        }
        for device in devices {
            try putLine(of: device.name) { json.print(device, at: now, into: &$0) }
        }
    }

    /// Writes the page with all devices in the place of the last one.
    private func refreshPage(at now: Moment) throws(OutputFailure) {
        var table = FleetTable(showsTime: false, style: session.style(on: page), localTime: session.localTime)
        let devices = loop.map { FleetDevice.all(in: $0.view) } ?? []
        for device in devices { table.append(device, at: now.wall) }
        var out = TextBuffer()
        out.put("\(devices.count.counting("device")), \(devices.count(where: \.isFound)) found\n")
        table.write(into: &out)
        guard let text = page?.show(out.text) else { return }
        try output.put { $0.put(text) }
        // At once: Ctrl-Z could come before the end of the loop's turn.
        try output.flush()
    }

    func process(_ update: TrackedUpdate, _ view: SessionView) throws(OutputFailure) -> SessionEnd.Reason? {
        changes.process(update)
        guard follows, case .update(let event, _) = update else { return nil }
        try printFailure(event)
        // In a recording the deadline is noticed only with the next update.
        return event.moment.elapsed >= next ? try expire(at: event.moment) : nil
    }

    var deadline: Moment? {
        guard follows, let now = loop?.now else { return nil }
        return now.advanced(by: next - now.elapsed)
    }

    func expire(at moment: Moment) throws(OutputFailure) -> SessionEnd.Reason? {
        next = max(moment.elapsed, loop?.now.elapsed ?? .zero) + Self.interval
        if page == nil {
            try show(loop.map { changes.take(from: $0.view) } ?? [], at: moment)
        } else if page?.canShow(on: output) == true {
            try refreshPage(at: moment)
        }
        return nil
    }
}
