import LocationCore

/// The input of a simulated receiver, which takes the commands of gpsd's drivers for u-blox and MediaTek.
struct CommandPort {
    /// The maximum number of bytes of an unfinished command that are kept.
    private static let limit = 1024

    private let commands: ScenarioCommands
    private var input: [UInt8] = []
    private var answer: [UInt8] = []
    private var interval: Duration?
    /// The cycle that the receiver says it has, in milliseconds.
    private var said: UInt16
    /// Whether the receiver sends nothing any more.
    private(set) var isSilenced = false

    /// Creates the input of a receiver with a rate in epochs a second.
    init(_ commands: ScenarioCommands, rate: Int) {
        self.commands = commands
        said = UInt16(clamping: 1000 / max(1, rate))
    }

    /// Returns and forgets the interval that was asked for, if the receiver obeys.
    mutating func takeInterval() -> Duration? {
        defer { interval = nil }
        return interval
    }

    /// Returns and forgets the bytes of the answers.
    mutating func takeAnswer() -> [UInt8] {
        defer { answer = [] }
        return isSilenced ? [] : answer
    }

    mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) {
        input += bytes
        while let command = nextCommand() {
            switch command {
            case .message(let kind, let payload): if commands.maker == .uBlox { obey(kind, payload) }
            case .sentence(let text): if commands.maker == .mediaTek { obey(text) }
            }
        }
        if input.count > Self.limit { input.removeFirst(input.count - Self.limit) }
    }

    // MARK: Commands

    private enum Command {
        /// A message of UBX: its class and its number, and its payload.
        case message(UInt16, [UInt8])
        /// A sentence without its dollar sign and its checksum.
        case sentence(String)
    }

    /// Removes and returns the first whole command; other bytes before it are dropped.
    private mutating func nextCommand() -> Command? {
        while let first = input.first {
            if first == 0xB5 {
                guard input.count >= 8 else { return nil }
                let end = 8 + Int(input[4]) + Int(input[5]) << 8
                if input[1] == 0x62, end <= Self.limit {
                    guard input.count >= end else { return nil }
                    let (kind, payload) = (UInt16(input[2]) << 8 | UInt16(input[3]), Array(input[6..<end - 2]))
                    input.removeFirst(end)
                    return .message(kind, payload)
                }
            } else if first == UInt8(ascii: "$") {
                guard let end = input.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
                let text = input[1..<end].prefix { $0 != UInt8(ascii: "*") }
                defer { input.removeFirst(end + 1) }
                return .sentence(String(decoding: text, as: UTF8.self))
            }
            input.removeFirst()
        }
        return nil
    }

    // MARK: u-blox

    private static let (version, port, rate): (UInt16, UInt16, UInt16) = (0x0A04, 0x0600, 0x0608)

    private mutating func obey(_ kind: UInt16, _ payload: [UInt8]) {
        switch kind {
        case Self.version:
            let parts = [("ROM CORE 3.01", 30), ("00080000", 10), ("PROTVER=18.00", 30)]
            answer += UBXMessage.bytes(kind, parts.flatMap { Self.text($0, $1) })
            return
        case Self.port where payload.count <= 1:
            // The first serial port, 8N1 at 115,200 bit/s, with UBX and NMEA in both directions.
            answer += UBXMessage.bytes(kind, [1, 0, 0, 0, 0xD0, 8, 0, 0, 0, 0xC2, 1, 0, 7, 0, 3, 0, 0, 0, 0, 0])
        case Self.rate where payload.isEmpty:
            answer += UBXMessage.bytes(kind, [UInt8(said & 0xFF), UInt8(said >> 8), 1, 0, 1, 0])
        case Self.rate where payload.count >= 2:
            ask(for: UInt16(payload[0]) | UInt16(payload[1]) << 8)
        default: break
        }
        // ACK-ACK, for configurations.
        if kind >> 8 == 0x06 { answer += UBXMessage.bytes(0x0501, [UInt8(kind >> 8), UInt8(kind & 0xFF)]) }
    }

    private static func text(_ text: String, _ length: Int) -> [UInt8] {
        Array(text.utf8) + [UInt8](repeating: 0, count: length - text.utf8.count)
    }

    // MARK: MediaTek

    private mutating func obey(_ sentence: String) {
        let fields = sentence.split(separator: ",", omittingEmptySubsequences: false)
        switch fields[0] {
        case "PMTK605": say("PMTK705,AXN_2.31_3339_13101700,5632,PA6H,1.0")
        case "PMTK300":
            guard fields.count > 1, let milliseconds = UInt16(fields[1]), 100...10_000 ~= milliseconds else {
                say("PMTK001,300,1")
                return
            }
            ask(for: milliseconds)
            say("PMTK001,300,3")
        default: break
        }
    }

    private mutating func say(_ body: String) {
        let checksum = body.utf8.reduce(0, ^)
        let digits = String(Int(checksum) + 0x100, radix: 16, uppercase: true).dropFirst()
        answer += Array("$\(body)*\(digits)\r\n".utf8)
    }

    // MARK: The rate

    private mutating func ask(for milliseconds: UInt16) {
        guard milliseconds > 0 else { return }
        switch commands.manner {
        case .obeys: (said, interval) = (milliseconds, .milliseconds(Int(milliseconds)))
        case .pretends: said = milliseconds
        case .refuses: break
        case .fallsSilent: isSilenced = said != milliseconds
        }
    }
}
