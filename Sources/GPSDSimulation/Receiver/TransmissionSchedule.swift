import LocationCore

/// When which bytes go over a line of some speed: a state that is told the time, so that any clock can drive it.
struct TransmissionSchedule<Source: IteratorProtocol> where Source.Element == Transmission {
    /// What to do now.
    enum Step: Equatable {
        /// Write of these bytes as many as go, then say how many went.
        case write(ArraySlice<UInt8>)
        /// Nothing is due before this time.
        case wait(until: Duration)
        /// The receiver is pulled off the line.
        case unplug
        /// It is back.
        case plugIn
        /// The scenario is over.
        case finished
    }

    private var source: Source
    private let bytesPerSecond: Double
    private let chunk: Int
    private let keepsAll: Bool
    private var current: Transmission?
    private var sent = 0
    private var began = Duration.zero
    private var isPlugged = true
    private(set) var epochsSent = 0
    private(set) var epochsSkipped = 0

    /// - Parameter lineSpeed: bits a second; a byte takes ten with its start and stop bit.
    /// - Parameter chunk: the bytes that are worth a write, so that nobody wakes up for each single one.
    /// - Parameter keepsAll: whether an epoch that comes too late is sent all the same, as no real receiver would.
    init(_ source: Source, lineSpeed: Int, chunk: Int, keepsAll: Bool) {
        self.source = source
        bytesPerSecond = Double(lineSpeed) / 10
        self.chunk = max(1, chunk)
        self.keepsAll = keepsAll
    }

    /// What is due at a time since the start.
    mutating func step(at now: Duration) -> Step {
        while true {
            guard let transmission = current else {
                guard let next = source.next() else { return .finished }
                current = next
                sent = 0
                began = max(began, next.epoch.offset)
                continue
            }
            guard now >= transmission.epoch.offset else { return .wait(until: transmission.epoch.offset) }
            let wantsPlug = transmission.epoch.reception != .unplugged
            if wantsPlug != isPlugged {
                isPlugged = wantsPlug
                return wantsPlug ? .plugIn : .unplug
            }
            if sent == 0, isLate(transmission, at: now) {
                epochsSkipped += 1
                current = nil
            } else if sent >= transmission.bytes.count {
                if !transmission.bytes.isEmpty { epochsSent += 1 }
                current = nil
            } else {
                return part(of: transmission.bytes, at: now)
            }
        }
    }

    /// Says how many of the bytes of the last step went over the line.
    mutating func wrote(_ count: Int, at now: Duration) {
        sent += count
        if let current, sent >= current.bytes.count { began = lineIsFree }
    }

    private var lineIsFree: Duration { began + .nanoseconds(Int64(clamping: Double(sent) / bytesPerSecond * 1e9)) }

    // Late by more than a second and more than its turn: the bytes would tell of a past that nobody waits for.
    private func isLate(_ transmission: Transmission, at now: Duration) -> Bool {
        !keepsAll && !transmission.bytes.isEmpty && now - transmission.epoch.offset > .seconds(1)
    }

    private func part(of bytes: [UInt8], at now: Duration) -> Step {
        let due =
            now <= began ? 0 : Int(clamping: (Double((now - began).nanoseconds) / 1e9 * bytesPerSecond).rounded(.down))
        let worth = min(bytes.count, sent + chunk)
        guard due >= worth else {
            return .wait(
                until: began + .nanoseconds(Int64(clamping: (Double(worth) / bytesPerSecond * 1e9).rounded(.up))))
        }
        return .write(bytes[sent..<min(due, bytes.count)])
    }
}
