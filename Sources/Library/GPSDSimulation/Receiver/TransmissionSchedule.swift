import LocationCore

/// A schedule of the bytes on a line of limited speed; time is a parameter, so that any clock can drive it.
struct TransmissionSchedule {
    /// The next action.
    enum Step: Equatable {
        /// Write as many of these bytes as possible, and report their number with `wrote`.
        case write(ArraySlice<UInt8>)
        /// Nothing is due before this time.
        case wait(until: Duration)
        /// Unplug the receiver.
        case unplug
        /// Plug the receiver in.
        case plugIn
        /// The scenario has ended.
        case finished
    }

    private var source: ScenarioEncoder
    private let bytesPerSecond: Double
    private let chunk: Int
    private let keepsAll: Bool
    private var current: Transmission?
    private var sent = 0
    private var began = Duration.zero
    private var isPlugged = true
    private(set) var epochsSkipped = 0

    /// - Parameter lineSpeed: bits per second; a byte takes ten, including its start and stop bits.
    /// - Parameter chunk: the minimum number of bytes to write at once, so that the thread does not wake up for each.
    /// - Parameter keepsAll: whether late epochs are sent instead of dropped, unlike with a real receiver.
    init(_ source: ScenarioEncoder, lineSpeed: Int, chunk: Int, keepsAll: Bool) {
        self.source = source
        bytesPerSecond = Double(lineSpeed) / 10
        self.chunk = max(1, chunk)
        self.keepsAll = keepsAll
    }

    /// Returns the action that is due at a time since the start.
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
                current = nil
            } else {
                return part(of: transmission.bytes, at: now)
            }
        }
    }

    /// Whether no part of an epoch is on its way.
    var isBetweenEpochs: Bool { sent == 0 || sent >= (current?.bytes.count ?? 0) }

    /// Changes the time between the epochs after the current one.
    mutating func change(interval: Duration) { source.change(interval: interval) }

    /// Records the number of bytes of the last step that were written.
    mutating func wrote(_ count: Int, at now: Duration) {
        sent += count
        if let current, sent >= current.bytes.count { began = lineIsFree }
    }

    /// Leaves out the rest of the current epoch; returns whether a part of it was sent.
    mutating func skipRest() -> Bool {
        guard let current, sent > 0, sent < current.bytes.count else { return false }
        began = lineIsFree
        epochsSkipped += 1
        self.current = nil
        return true
    }

    private var lineIsFree: Duration { began + .nanoseconds(Int64(clamping: Double(sent) / bytesPerSecond * 1e9)) }

    // An epoch that is more than a second late is dropped, because its position is outdated.
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
