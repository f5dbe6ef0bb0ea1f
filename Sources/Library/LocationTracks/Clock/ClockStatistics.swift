package import LocationCore
import LocwatchSupport

/// The clocks of a session: for each receiver the offsets by its pulse and by its messages, and its leap seconds.
package struct ClockStatistics: Hashable, Sendable {
    /// The clock of one receiver.
    package struct Receiver: Hashable, Sendable {
        package var pulses = ClockSeries()
        package var messages = ClockSeries()
        package var watch = PulseWatch()
        /// The leap seconds between UTC and the satellites' time, if the receiver has reported them.
        package var leapSeconds: Int?
    }

    /// The maximum number of receivers; gpsd itself has fewer than ten.
    package static let limit = 256

    private var receivers = PerDevice<Receiver>()

    package init() {}

    /// The receivers with a comparison, in the order in which they appeared.
    package var all: [(device: String?, clock: Receiver)] {
        zip(receivers.devices, receivers.values).filter { $0.1.pulses.count + $0.1.messages.count > 0 }
            .map { (device: $0.0, clock: $0.1) }
    }

    package var isEmpty: Bool { all.isEmpty }

    /// The next moment at which a pulse counts as lost.
    package var deadline: Moment? { receivers.values.compactMap(\.watch.deadline).min() }

    /// Processes an event; returns a change of the receiver's pulse, if any.
    @discardableResult
    package mutating func process(_ event: LocationEvent, at moment: Moment) -> PulseChange? {
        guard receivers.count < Self.limit || receivers[event.device] != nil else { return nil }
        switch event {
        case .clock(let sample):
            let place = receivers.place(of: sample.device, default: Receiver())
            switch sample.source {
            case .message:
                receivers[place: place].messages.add(sample)
                return nil
            case .pulse:
                receivers[place: place].pulses.add(sample)
                return receivers[place: place].watch.pulse(at: moment)
                    .map { PulseChange(device: sample.device, moment: moment, change: $0) }
            }
        case .location(let location):
            let place = receivers.place(of: location.device, default: Receiver())
            receivers[place: place].watch.hasFix = location.fix >= .twoD
            if let leap = location[count: .leapSeconds] { receivers[place: place].leapSeconds = leap }
        case .searching(_, let device?):
            let place = receivers.place(of: device, default: Receiver())
            receivers[place: place].watch.hasFix = false
        case .searching, .failure, .satellites, .attitude, .device, .receiver, .authorization, .line, .notice, .other:
            break
        }
        return nil
    }

    /// Ends the pulses whose deadline has passed; returns the changes with the moments of the deadlines, in their order.
    package mutating func expire(at moment: Moment) -> [PulseChange] {
        var changes: [PulseChange] = []
        for place in 0..<receivers.count {
            guard let deadline = receivers[place: place].watch.deadline,
                let change = receivers[place: place].watch.expire(at: moment)
            else { continue }
            changes.append(PulseChange(device: receivers.device(at: place), moment: deadline, change: change))
        }
        return changes.sorted { $0.moment < $1.moment }
    }
}

/// A change of the pulse of one receiver.
package struct PulseChange: Hashable, Sendable {
    package var device: String?
    package var moment: Moment
    package var change: PulseWatch.Change
}
