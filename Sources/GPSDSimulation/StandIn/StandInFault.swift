import LocationCore

/// Something that a stand-in does wrong, at a place that is known beforehand.
public enum StandInFault: Hashable, Sendable {
    /// Where in the session a fault lies; the first line that is sent to those who watch is 1, loops count on.
    public enum Place: Hashable, Sendable {
        /// Ahead of a line.
        case before(line: Int)
        /// In a line, after so many of its bytes.
        case within(line: Int, byte: Int)
        /// Behind a line and its end.
        case after(line: Int)
    }

    /// What is sent goes out in pieces of so many bytes, with a pause between them.
    case chunks(bytes: Int, gap: Duration = .zero)
    /// Nothing goes out for a while, or ever again where `duration` is `nil`; the connection stays.
    case stall(Place, duration: Duration? = nil)
    /// The connection ends, as when the daemon is stopped.
    case hangUp(Place)
    /// The connection is reset, as when the daemon's machine is gone.
    case reset(Place)
    /// Bytes that are not gpsd's are put in.
    case insert([UInt8], Place)
    /// The list of devices is made up to so many; libgps 3.22 hangs on five and more.
    case devices(count: Int)
    /// Nobody accepts a connection.
    case refuses
    /// Connections are accepted and closed at once.
    case closesAtOnce
    /// Connections are accepted, and nothing is said on them.
    case silent
    /// Another server's words come instead of gpsd's, and nothing after them.
    case greeting([UInt8])
    /// Whoever wants to watch gets an error.
    case deniesWatch(message: String)
}

extension StandInFault {
    /// What an SSH server says to whom connects.
    public static let ssh = greeting(Array("SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u3\r\n".utf8))

    /// What a web server says to whom speaks no HTTP.
    public static let http = greeting(
        Array("HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 11\r\n\r\nBad Request".utf8))

    /// Random bytes that a seed decides, among them no end of a line.
    public static func garbage(bytes count: Int, seed: UInt64 = 1, _ place: Place) -> StandInFault {
        var generator = SplitMix64(seed: seed, stream: 0)
        return insert(
            (0..<count).map { _ in
                let byte = UInt8(truncatingIfNeeded: generator.next())
                return byte == UInt8(ascii: "\n") ? 0 : byte
            }, place)
    }

    /// A byte that no UTF-8 holds, and a sequence that breaks off.
    public static func invalidUTF8(_ place: Place) -> StandInFault { insert([0xFF, 0xC3], place) }

    /// A report of a class of its own that is so many bytes long, before a line.
    public static func longLine(bytes count: Int, beforeLine line: Int) -> StandInFault {
        let head = Array(#"{"class":"LONG","text":""#.utf8)
        let filler = [UInt8](repeating: UInt8(ascii: "x"), count: max(0, count - head.count - 2))
        return insert(head + filler + Array("\"}\r\n".utf8), .before(line: line))
    }
}

/// The faults of a stand-in, by what they touch.
struct StandInFaults: Sendable {
    var chunk: (bytes: Int, gap: Duration)?
    var deviceCount = 0
    var refuses = false
    var closesAtOnce = false
    var greeting: [UInt8]?
    var denial: String?
    private var placed: [Int: [(offset: StandInFault.Place, step: WireStep)]] = [:]

    init(_ faults: [StandInFault]) {
        for fault in faults {
            switch fault {
            case .chunks(let bytes, let gap): chunk = (max(1, bytes), gap)
            case .stall(let place, let duration): put(.pause(duration), place)
            case .hangUp(let place): put(.end, place)
            case .reset(let place): put(.reset, place)
            case .insert(let bytes, let place): put(.bytes(bytes), place)
            case .devices(let count): deviceCount = count
            case .refuses: refuses = true
            case .closesAtOnce: closesAtOnce = true
            case .silent: greeting = []
            case .greeting(let bytes): greeting = bytes
            case .deniesWatch(let message): denial = message
            }
        }
    }

    /// What is done to send a line, given with its end.
    func steps(for line: [UInt8], number: Int) -> [WireStep] {
        guard let faults = placed[number] else { return [.bytes(line)] }
        var steps: [WireStep] = []
        var sent = 0
        let sorted = faults.map { ($0.offset.offset(in: line.count), $0.step) }.enumerated().sorted {
            ($0.element.0, $0.offset) < ($1.element.0, $1.offset)
        }
        for (offset, step) in sorted.map(\.element) {
            if offset > sent { steps.append(.bytes(Array(line[sent..<offset]))) }
            sent = offset
            steps.append(step)
        }
        if sent < line.count { steps.append(.bytes(Array(line[sent...]))) }
        return steps
    }

    private mutating func put(_ step: WireStep, _ place: StandInFault.Place) {
        placed[place.line, default: []].append((place, step))
    }
}

extension StandInFault.Place {
    fileprivate var line: Int {
        switch self {
        case .before(let line), .within(let line, _), .after(let line): line
        }
    }

    fileprivate func offset(in count: Int) -> Int {
        switch self {
        case .before: 0
        case .within(_, let byte): min(max(0, byte), count)
        case .after: count
        }
    }
}
