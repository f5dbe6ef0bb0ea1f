import LocationCore
import GPSDProtocol

/// Reads text as one session, optionally in chunks of `split` bytes.
func read(_ text: String, split: Int? = nil, includesLines: Bool = false) -> [LocationUpdate] {
    read(Array(text.utf8), split: split, includesLines: includesLines)
}

func read(_ bytes: [UInt8], split: Int? = nil, includesLines: Bool = false) -> [LocationUpdate] {
    var stream = GPSDStream(includesLines: includesLines)
    var updates: [LocationUpdate] = []
    var rest = bytes[...]
    while !rest.isEmpty {
        updates += stream.updates(of: rest.prefix(split ?? rest.count))
        rest = rest.dropFirst(split ?? rest.count)
    }
    return updates + stream.lastUpdates()
}

extension GPSDStream {
    /// Returns the updates of the next bytes.
    mutating func updates(of bytes: some Sequence<UInt8>, arrival: Moment? = nil) -> [LocationUpdate] {
        Array(bytes).withUnsafeBytes { feed($0, at: arrival) }
        return takeUpdates()
    }

    /// Returns the updates that follow from the host's time.
    mutating func updates(passingTo moment: Moment) -> [LocationUpdate] {
        pass(to: moment)
        return takeUpdates()
    }

    /// Returns the updates of the end of the session.
    mutating func lastUpdates(arrival: Moment? = nil) -> [LocationUpdate] {
        finish(at: arrival)
        return takeUpdates()
    }

    private mutating func takeUpdates() -> [LocationUpdate] {
        var updates: [LocationUpdate] = []
        while let update = next() { updates.append(update) }
        return updates
    }
}

extension LocationProvider {
    /// Returns the updates of a whole session.
    func allUpdates() async throws -> [LocationUpdate] {
        var updates: [LocationUpdate] = []
        for try await update in self.updates(for: .everything) { updates.append(update) }
        return updates
    }

    /// Returns the updates of a whole session and the changes of state that they cause.
    func allTracked() async throws -> [TrackedUpdate] {
        var tracked: [TrackedUpdate] = []
        for try await next in self.tracked() { tracked.append(next) }
        return tracked
    }
}

/// Returns a position report of a receiver `/dev/a` at a second after 2026-11-20T09:00; `fields` come last.
func tpv(_ second: Int, mode: Int = 3, device: String = "/dev/a", lat: Double = 52.5, fields: String = "") -> String {
    let stamp = time("09:00:00").advanced(by: .seconds(second)).formatted(fractionDigits: 3)
    let position = mode >= 2 ? #","lat":\#(lat),"lon":13.3,"eph":4.5"# : ""
    return #"{"class":"TPV","device":"\#(device)","mode":\#(mode),"time":"\#(stamp)"\#(position)\#(fields)}"#
}

let greeting = #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#
let watching = #"{"class":"WATCH","enable":true,"json":true}"#

extension [LocationUpdate] {
    var locations: [Location] { compactMap(\.location) }

    var notices: [Notice.NoticeContent] { compactMap(\.event.notice) }

    var seconds: [Double] { map(\.moment.elapsed.inSeconds) }
}

/// Returns a time of day on 2026-11-20.
func time(_ clock: String) -> Timestamp {
    guard let time = Timestamp("2026-11-20T\(clock)Z") else { preconditionFailure("\(clock) is not a time of day") }
    return time
}
