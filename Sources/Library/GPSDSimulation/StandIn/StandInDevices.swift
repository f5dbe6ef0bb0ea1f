import LocationCore
import GPSDProtocol

/// The devices that a stand-in reports, as JSON text of gpsd.
struct StandInDevices: Sendable {
    struct ServedDevice: Sendable {
        var path: String
        /// The device's object.
        var text: ArraySlice<UInt8>
        /// The time of the device's last byte in the recorded list.
        var activated: Timestamp?
        /// The time at which the device was heard after the object was written, if it was.
        var heard: Timestamp?

        /// The object with the current `activated`.
        var object: ArraySlice<UInt8> {
            guard let heard, var members = ReportMembers(text) else { return text }
            members.set("activated", to: JSONText.quoted(heard.formatted(fractionDigits: 3)))
            return members.text
        }
    }

    /// Returns the object of a device that is closed.
    static func closed(_ path: String) -> [UInt8] {
        Array(#"{"class":"DEVICE","path":\#(JSONText.quoted(path)),"activated":0}"#.utf8)
    }

    /// The name of the device of reports that name none; to clients a gpsd without a device has no position.
    static let unnamed = "/dev/recording"

    /// The number of devices beyond which others are not listed; their reports are passed on all the same.
    ///
    /// The list of more would be larger than what may wait for a client.
    static let limit = 10_000

    private(set) var entries: [ServedDevice] = []
    private var places: [String: Int] = [:]

    init(_ entries: [ServedDevice]) {
        for entry in entries { set(entry) }
    }

    /// Returns whether a device is listed; `nil` stands for that of reports without a name.
    func contains(_ path: String?) -> Bool { places[path ?? Self.unnamed] != nil }

    /// Updates a device, or adds it.
    private mutating func set(_ entry: ServedDevice) {
        if let known = places[entry.path] {
            entries[known] = entry
        } else if entries.count < Self.limit {
            places[entry.path] = entries.count
            entries.append(entry)
        }
    }

    /// Returns the devices of a `DEVICES` line, each with its part of the text.
    static func entries(of report: DevicesReport, in line: ArraySlice<UInt8>) -> [ServedDevice] {
        zip(report.devices, ReportMembers(line)?.elements("devices") ?? []).compactMap { device, text in
            device.path.map { ServedDevice(path: $0, text: text, activated: device.activated) }
        }
    }

    /// Updates or adds the device of a `DEVICE` line.
    mutating func process(_ line: ArraySlice<UInt8>, of path: String) {
        // A deactivated device stays in gpsd's list.
        set(ServedDevice(path: path, text: line))
    }

    /// Adds a device that is not listed, and returns its object; `nil` if it is listed or cannot be.
    mutating func add(_ path: String?) -> ArraySlice<UInt8>? {
        guard !contains(path), entries.count < Self.limit else { return nil }
        let entry = ServedDevice(named: path ?? Self.unnamed)
        set(entry)
        return entry.text
    }

    /// Replaces the devices by those of a `DEVICES` line.
    mutating func process(all line: ArraySlice<UInt8>) {
        var decoder = ReportDecoder()
        guard case .devices(let report) = try? decoder.decode(Array(line)) else { return }
        self = StandInDevices(Self.entries(of: report, in: line))
    }

    /// Records that a device was heard, which changes its `activated`.
    mutating func hear(_ path: String?, at time: Timestamp) {
        guard let known = places[path ?? Self.unnamed] else { return }
        entries[known].heard = time
    }

    /// Returns the `DEVICES` report, filled up to `least` devices with some that were never opened.
    func list(least: Int = 0) -> [UInt8] {
        var objects = entries.map(\.object)
        for number in entries.count..<max(least, entries.count) {
            objects.append(Array(#"{"class":"DEVICE","path":"/dev/standin\#(number)"}"#.utf8)[...])
        }
        return Array(#"{"class":"DEVICES","devices":["#.utf8) + objects.joined(separator: [UInt8(ascii: ",")])
            + Array("]}".utf8)
    }
}

extension StandInDevices.ServedDevice {
    /// Creates an open NMEA receiver, for a device that no list names but reports come from.
    init(named path: String) {
        let text =
            #"{"class":"DEVICE","path":\#(JSONText.quoted(path)),"driver":"NMEA0183","flags":1,"native":0,"#
            + #""bps":9600,"parity":"N","stopbits":1,"cycle":1.00}"#
        self.init(path: path, text: Array(text.utf8)[...])
    }
}
