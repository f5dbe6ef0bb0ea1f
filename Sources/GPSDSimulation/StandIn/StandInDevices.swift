import GPSDReports
import LocationCore

/// The devices that a stand-in reports, as JSON text of gpsd.
struct StandInDevices: Sendable {
    struct Entry: Sendable {
        var path: String
        /// The device's object.
        var text: ArraySlice<UInt8>
        /// The time of the device's last byte in the recorded list.
        var activated: Timestamp?
        /// The time at which the device was heard after the object was written, if it was.
        var heard: Timestamp?

        init(path: String, text: ArraySlice<UInt8>, activated: Timestamp?) {
            self.path = path
            self.text = text
            self.activated = activated
        }

        /// Whether the reports of the device do not name it.
        private(set) var isUnnamed = false

        /// Creates an open NMEA receiver, for a device that no list names but reports come from.
        init(named path: String, isUnnamed: Bool = false) {
            self.path = path
            self.isUnnamed = isUnnamed
            let text =
                #"{"class":"DEVICE","path":\#(JSONText.quoted(path)),"driver":"NMEA0183","flags":1,"native":0,"#
                + #""bps":9600,"parity":"N","stopbits":1,"cycle":1.00}"#
            self.text = Array(text.utf8)[...]
        }

        /// The object with the current `activated`.
        var object: ArraySlice<UInt8> { heard.map { RedatedText.setting(activated: $0, in: text)[...] } ?? text }
    }

    /// The name of the device of reports that name none; to clients a gpsd without a device has no position.
    static let unnamed = "/dev/recording"

    private(set) var entries: [Entry]

    init(_ entries: [Entry]) { self.entries = entries }

    /// Returns the devices of a `DEVICES` line, each with its part of the text.
    static func entries(of report: DevicesReport, in line: ArraySlice<UInt8>) -> [Entry] {
        zip(report.devices, objects(in: line)).compactMap { device, text in
            device.path.map { Entry(path: $0, text: text, activated: device.activated) }
        }
    }

    /// Updates or adds the device of a `DEVICE` line.
    mutating func process(_ line: ArraySlice<UInt8>, of path: String) {
        // A deactivated device stays in gpsd's list.
        let entry = Entry(path: path, text: line, activated: nil)
        if let known = entries.firstIndex(where: { $0.path == path }) {
            entries[known] = entry
        } else {
            entries.append(entry)
        }
    }

    /// Adds a device, and returns its object.
    mutating func add(_ entry: Entry) -> ArraySlice<UInt8> {
        entries.append(entry)
        return entry.text
    }

    /// Replaces the devices by those of a `DEVICES` line.
    mutating func process(all line: ArraySlice<UInt8>) {
        var decoder = ReportDecoder()
        guard case .devices(let report) = try? decoder.decode(Array(line)) else { return }
        entries = Self.entries(of: report, in: line)
    }

    /// Records that a device was heard, which changes its `activated`.
    mutating func hear(_ path: String?, at time: Timestamp) {
        guard let known = entries.firstIndex(where: { path == nil ? $0.isUnnamed : $0.path == path }) else { return }
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

    /// Returns the objects of the array `devices`, as slices of the line.
    private static func objects(in line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var objects: [ArraySlice<UInt8>] = []
        var depth = 0
        var start = line.startIndex
        var isInString = false
        var isEscaped = false
        for (index, byte) in zip(line.indices, line) {
            if isInString {
                isInString = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "{"):
                depth += 1
                if depth == 2 { start = index }
            case UInt8(ascii: "}"):
                if depth == 2 { objects.append(line[start...index]) }
                depth -= 1
            default: break
            }
        }
        return objects
    }
}
