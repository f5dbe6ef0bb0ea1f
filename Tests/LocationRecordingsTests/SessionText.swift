import LocationCore
import LocationRecordings

/// Reads text as one session, optionally in chunks of `split` bytes.
func read(_ text: String, split: Int? = nil) -> [LocationUpdate] {
    read(Array(text.utf8), split: split)
}

func read(_ bytes: [UInt8], split: Int? = nil) -> [LocationUpdate] {
    var reader = SessionReader(timing: .recorded)
    var updates: [LocationUpdate] = []
    var rest = bytes[...]
    while !rest.isEmpty {
        Array(rest.prefix(split ?? rest.count)).withUnsafeBytes { reader.read($0) { updates.append($0) } }
        rest = rest.dropFirst(split ?? rest.count)
    }
    reader.finish { updates.append($0) }
    return updates
}

/// Returns a position report of a receiver `/dev/a` at a second after 2026-11-20T09:00; `fields` come last.
func tpv(_ second: Int, mode: Int = 3, device: String = "/dev/a", lat: Double = 52.5, fields: String = "") -> String {
    let time =
        "2026-11-20T09:\(second / 60 < 10 ? "0" : "")\(second / 60):\(second % 60 < 10 ? "0" : "")\(second % 60).000Z"
    let position = mode >= 2 ? #","lat":\#(lat),"lon":13.3,"eph":4.5"# : ""
    return #"{"class":"TPV","device":"\#(device)","mode":\#(mode),"time":"\#(time)"\#(position)\#(fields)}"#
}

let greeting = #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#
let watching = #"{"class":"WATCH","enable":true,"json":true}"#

extension [LocationUpdate] {
    var locations: [Location] {
        compactMap { if case .location(let location) = $0.event { location } else { nil } }
    }

    var notices: [Notice.Content] {
        compactMap(\.event.notice)
    }

    var seconds: [Double] { map(\.moment.elapsed.inSeconds) }
}

extension Duration {
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

/// Returns a time of day on 2026-11-20.
func time(_ clock: String) -> Timestamp {
    guard let time = Timestamp("2026-11-20T\(clock)Z") else { preconditionFailure("\(clock) is not a time of day") }
    return time
}
