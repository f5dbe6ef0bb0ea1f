import LocationCore
import LocwatchSupport
import Testing

@testable import GPSDProtocol

/// A translator that processes one line at a time, with a clock that advances on request.
///
/// Its positions and satellites are parts of epochs.
struct Session {
    private var translator: ReportTranslator
    private var decoder = ReportDecoder()
    private(set) var now = Moment(elapsed: .zero, wall: time("09:00:00"))

    init(listsSatellites: Bool = true, isLive: Bool = false) {
        translator = ReportTranslator(listsSatellites: listsSatellites)
        if isLive { translator.connection = LiveConnection(to: "localhost", isLocal: false) }
    }

    /// Returns the events that follow from a line.
    mutating func hear(_ line: String, after pause: Duration = .zero) -> [LocationEvent] {
        now = now.advanced(by: pause)
        // Each report of a machine with a name is an epoch, and so are all parts for an assembler that knows no earlier one.
        var epochs = EpochAssembler()
        epochs.isOfFleet = true
        hear(line, into: &epochs)
        return epochs.updates.map(\.event)
    }

    /// Passes what a line says to an assembler.
    mutating func hear(_ line: String, into epochs: inout EpochAssembler) {
        do throws(ReportError) {
            translator.translate(try decoder.decode(line), at: now, to: &epochs)
        } catch {
            Issue.record("\(error): \(line)")
        }
    }

    /// Returns the locations that follow from a line.
    mutating func locations(_ line: String, after pause: Duration = .zero) -> [Location] {
        hear(line, after: pause).compactMap(\.location)
    }
}

extension EpochAssembler {
    /// Takes the updates so far.
    mutating func takenUpdates() -> [LocationUpdate] {
        defer { updates = ReusedQueue() }
        return Array(updates)
    }
}

extension LocationEvent {
    /// The same event without its list of satellites, if any.
    var withoutList: LocationEvent {
        guard case .satellites(var sky) = self else { return self }
        (sky.facts.list, sky.facts.isListed) = (nil, true)
        return .satellites(sky)
    }

    var status: DeviceStatus? { if case .device(let status) = self { status } else { nil } }
}
