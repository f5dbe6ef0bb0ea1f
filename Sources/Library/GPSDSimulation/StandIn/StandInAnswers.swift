import LocationCore
import GPSDProtocol
import LocwatchSupport

/// The state of a session at the line played last, and the answers to commands.
struct StandInAnswers: Sendable {
    private static let version = #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#

    /// The greeting that a client gets when it connects.
    var version: [UInt8]
    var devices: StandInDevices
    private var latest: [StandInRecording.Polled: PerDevice<ArraySlice<UInt8>>] = [:]
    private var decoder = ReportDecoder()

    init(_ session: StandInRecording) {
        version = session.version.map { Array($0) } ?? Array(Self.version.utf8)
        devices = StandInDevices(session.devices)
    }

    /// Returns the greeting, with another release if one is given.
    func version(release: String?) -> [UInt8] {
        guard let release, var members = ReportMembers(version[...]) else { return version }
        for key in ["release", "rev"] { members.set(key, to: JSONText.quoted(release)) }
        return Array(members.text)
    }

    /// Resets the devices to those at the start of the session.
    mutating func start(_ session: StandInRecording, activated shift: Duration) {
        devices = StandInDevices(session.devices)
        guard shift != .zero else { return }
        for entry in session.devices {
            devices.process(ReportMembers.redating(entry.text, time: .zero, activated: shift), of: entry.path)
        }
    }

    /// Updates the state with a line that is played, whose device was heard at a time.
    mutating func learn(_ line: StandInRecording.Line, _ bytes: ArraySlice<UInt8>, heard time: Timestamp?) {
        switch line.kind {
        case .devices: devices.process(all: bytes)
        case .device: if let path = line.device { devices.process(bytes, of: path) }
        case .pulse, .sentence: break
        case .report:
            if let time { devices.hear(line.device, at: time) }
            if let polled = line.polled { keep(bytes, as: polled, of: line.device) }
        }
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>, as kind: StandInRecording.Polled, of device: String?) {
        let hasRoom = latest[kind].map { $0.count < StandInDevices.limit || $0[device] != nil } ?? true
        guard hasRoom else { return }
        latest[kind, default: PerDevice()].set(bytes, for: device)
    }

    /// Forgets all devices and their reports, and returns the objects that say that the devices are closed.
    mutating func loseDevices() -> [(path: String, text: [UInt8])] {
        defer {
            devices = StandInDevices([])
            latest = [:]
        }
        return devices.entries.map { ($0.path, StandInDevices.closed($0.path)) }
    }

    /// The latest report of a device that `?POLL;` would repeat.
    func latest(_ kind: StandInRecording.Polled, of device: String?) -> ArraySlice<UInt8>? { latest[kind]?[device] }

    /// Returns the answer to a request, with its line ends, and applies the request to the client's policy.
    mutating func answer(
        _ request: String, _ policy: inout WatchPolicy, _ state: StandInState, at now: Timestamp
    ) -> [UInt8] {
        // gpsd ignores input that does not begin with a question mark.
        guard request.hasPrefix("?") else { return [] }
        switch request {
        case "?VERSION;": return line(version(release: state.release))
        case "?DEVICES;": return line(devices.list(least: state.deviceCount))
        case "?POLL;": return line(poll(at: now))
        default: break
        }
        if let arguments = Self.arguments(of: "?WATCH", in: request) {
            return watch(arguments, &policy, state)
        }
        if let arguments = Self.arguments(of: "?DEVICE", in: request) { return device(arguments) }
        return Self.error("Unrecognized request '\(request)\n'")
    }

    private mutating func watch(_ arguments: Substring, _ policy: inout WatchPolicy, _ state: StandInState) -> [UInt8] {
        if let denial = state.denial { return Self.error(denial) }
        var answer: [UInt8] = []
        if !arguments.isEmpty {
            if let wish = object(arguments, as: "WATCH"), case .watch(let wish) = wish {
                policy.apply(wish)
            } else {
                answer = Self.error("Invalid WATCH: no JSON object")
            }
        }
        if let device = policy.device, policy.isEnabled, !devices.contains(device) {
            return answer + Self.error("No such device as \(device)")
        }
        return answer + line(devices.list(least: state.deviceCount)) + line(Array(policy.report.utf8))
    }

    private mutating func device(_ arguments: Substring) -> [UInt8] {
        var path: String?
        if !arguments.isEmpty {
            guard case .device(let wish) = object(arguments, as: "DEVICE") else {
                return Self.error("Invalid DEVICE: no JSON object")
            }
            path = wish.path
            if path == nil, devices.entries.isEmpty {
                return Self.error("Can't perform DEVICE configuration, no devices attached.")
            }
        }
        let asked = devices.entries.filter { path == nil || $0.path == path }
        if let path, asked.isEmpty { return Self.error("Can't open \(path).") }
        return asked.flatMap { line(Array($0.object)) }
    }

    private func poll(at now: Timestamp) -> [UInt8] {
        let paths = devices.entries.map(\.path)
        func reports(_ kind: StandInRecording.Polled) -> [UInt8] {
            let known = latest[kind] ?? PerDevice()
            let bare = { (path: String) in
                Array(#"{"class":"\#(kind.rawValue)","device":\#(JSONText.quoted(path))}"#.utf8)[...]
            }
            return Array(paths.map { known[$0] ?? bare($0) }.joined(separator: [UInt8(ascii: ",")]))
        }
        let time = now.formatted(fractionDigits: 3)
        return Array(#"{"class":"POLL","time":"\#(time)","active":\#(paths.count),"tpv":["#.utf8) + reports(.tpv)
            + Array(#"],"gst":["#.utf8) + reports(.gst) + Array(#"],"sky":["#.utf8) + reports(.sky)
            + Array("]}".utf8)
    }

    /// Returns the text after the `=` of a request, or an empty text without one; `nil` for another request.
    private static func arguments(of name: String, in request: String) -> Substring? {
        if request == name + ";" { return "" }
        guard request.hasPrefix(name + "=") else { return nil }
        let rest = request.dropFirst(name.count + 1)
        // gpsd accepts a missing `;` only after arguments.
        return rest.last == ";" ? rest.dropLast() : rest
    }

    /// Decodes the object of a request as a report of a class.
    private mutating func object(_ text: Substring, as kind: String) -> GPSDReport? {
        guard text.first == "{" else { return nil }
        let rest = text.dropFirst().drop { $0 == " " }
        return try? decoder.decode(#"{"class":"\#(kind)""# + (rest.first == "}" ? "" : ",") + rest)
    }

    /// Returns an `ERROR` report with its line end.
    static func error(_ message: String) -> [UInt8] {
        Self.errorStart + Array("\(JSONText.quoted(message))}\r\n".utf8)
    }

    /// Returns whether an answer is that of a valid command.
    static func isAnswer(_ bytes: [UInt8]) -> Bool { !bytes.isEmpty && !bytes.starts(with: errorStart) }

    private static let errorStart = Array(#"{"class":"ERROR","message":"#.utf8)

    private func line(_ bytes: [UInt8]) -> [UInt8] { bytes + [UInt8(ascii: "\r"), UInt8(ascii: "\n")] }
}
