import LocationCore

/// A fault of a stand-in, at a fixed place in the session or for all connections.
public enum StandInFault: Hashable, Sendable {
    /// The place of a fault in the session; sent lines are counted from 1 on, across all rounds of a loop.
    public enum Place: Hashable, Sendable {
        /// Before a line.
        case before(line: Int)
        /// Within a line, after a number of its bytes.
        case within(line: Int, byte: Int)
        /// After a line and its line end.
        case after(line: Int)
    }

    /// Sends everything in chunks of a number of bytes, with a pause between them.
    case chunks(bytes: Int, gap: Duration = .zero)
    /// Sends nothing for a duration, or ever again if it is `nil`; the connection stays open.
    case stall(Place, duration: Duration? = nil)
    /// Closes the connection, as when the daemon is stopped.
    case hangUp(Place)
    /// Resets the connection, as when the daemon's machine is gone.
    case reset(Place)
    /// Inserts bytes that are not gpsd's.
    case insert([UInt8], Place)
    /// Extends the list of devices to `count`; libgps 3.22 hangs on five or more.
    case devices(count: Int)
    /// Refuses connections.
    case refuses
    /// Accepts connections and closes them at once.
    case closesAtOnce
    /// Accepts connections and sends nothing.
    case silent
    /// Sends another server's greeting instead of gpsd's, and nothing after it.
    case greeting([UInt8])
    /// Answers every `?WATCH` with an error.
    case deniesWatch(message: String)
}

extension StandInFault {
    /// The greeting of an SSH server.
    public static let ssh = greeting(Array("SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u3\r\n".utf8))

    /// The answer of a web server to a client that does not speak HTTP.
    public static let http = greeting(
        Array("HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 11\r\n\r\nBad Request".utf8))

    /// Returns a fault that inserts random bytes, determined by the seed, without a newline.
    public static func garbage(bytes count: Int, seed: UInt64 = 1, _ place: Place) -> StandInFault {
        var generator = SplitMix64(seed: seed, stream: 0)
        return insert(
            (0..<count).map { _ in
                let byte = UInt8(truncatingIfNeeded: generator.next())
                return byte == UInt8(ascii: "\n") ? 0 : byte
            }, place)
    }

    /// Returns a fault that inserts a byte that never occurs in UTF-8, and an incomplete sequence.
    public static func invalidUTF8(_ place: Place) -> StandInFault { insert([0xFF, 0xC3], place) }

    /// Returns a fault that inserts a report of an unknown class with a length of `count` bytes before a line.
    public static func longLine(bytes count: Int, beforeLine line: Int) -> StandInFault {
        insert(longLine(bytes: count), .before(line: line))
    }

    /// Returns a report of an unknown class with a length of `count` bytes.
    static func longLine(bytes count: Int) -> [UInt8] {
        let head = Array(#"{"class":"LONG","text":""#.utf8)
        let filler = [UInt8](repeating: UInt8(ascii: "x"), count: max(0, count - head.count - 2))
        return head + filler + Array("\"}\r\n".utf8)
    }
}

/// The faults of a stand-in, grouped by the part of the server that they affect.
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

    /// Returns the actions that send a line, which includes its line end.
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
