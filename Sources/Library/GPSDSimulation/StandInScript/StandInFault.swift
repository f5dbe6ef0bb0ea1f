import LocationCore

/// A fault of a stand-in: an effect, and the place in the session at which it happens.
///
/// Without a place it holds for all connections.
package struct StandInFault: Hashable, Sendable {
    /// The place of a fault in the session; sent lines are counted from 1 on, across all rounds of a loop.
    package struct Place: Hashable, Sendable {
        /// The number of the line, or `nil` for the next one.
        let line: Int?
        /// The number of bytes of the line before the fault.
        let byte: Int

        /// Before a line.
        package static func before(line: Int) -> Place { Place(line: line, byte: 0) }
        /// Within a line, after a number of its bytes.
        package static func within(line: Int, byte: Int) -> Place { Place(line: line, byte: max(0, byte)) }
        /// After a line and its line end.
        package static func after(line: Int) -> Place { Place(line: line, byte: .max) }

        static let beforeNext = Place(line: nil, byte: 0)
        static let afterNext = Place(line: nil, byte: .max)
    }

    let effect: StandInEffect
    let place: Place?

    init(_ effect: StandInEffect, _ place: Place? = nil) {
        self.effect = effect
        self.place = place
    }

    init(_ condition: StandInCondition) { self.init(.condition(condition, nil)) }

    /// Sends everything in chunks of a number of bytes, with a pause between them.
    package static func chunks(bytes: Int, gap: Duration = .zero) -> StandInFault {
        StandInFault(.chunks(bytes: max(1, bytes), gap: gap))
    }

    /// Sends nothing for a duration, or ever again if it is `nil`; the connection stays open.
    package static func stall(_ place: Place, duration: Duration? = nil) -> StandInFault {
        StandInFault(.pause(duration), place)
    }

    /// Closes the connection, as when the daemon is stopped.
    package static func hangUp(_ place: Place) -> StandInFault { StandInFault(.hangUp(reset: false), place) }

    /// Resets the connection, as when the daemon's machine is gone.
    package static func reset(_ place: Place) -> StandInFault { StandInFault(.hangUp(reset: true), place) }

    package static func insert(_ bytes: [UInt8], _ place: Place) -> StandInFault { StandInFault(.insert(bytes), place) }

    /// Inserts random bytes, determined by the seed, without a newline.
    package static func garbage(bytes count: Int, seed: UInt64 = 1, _ place: Place) -> StandInFault {
        var generator = SplitMix64(seed: seed, stream: 0)
        return insert(generator.garbage(bytes: count), place)
    }

    /// Inserts a byte that never occurs in UTF-8, and an incomplete sequence.
    package static func invalidUTF8(_ place: Place) -> StandInFault { insert([0xFF, 0xC3], place) }

    /// Inserts a report of an unknown class with a length of `count` bytes before a line.
    package static func longLine(bytes count: Int, beforeLine line: Int) -> StandInFault {
        StandInFault(.long(bytes: count), .before(line: line))
    }

    /// Extends the list of devices to `count`; libgps 3.22 hangs on five or more.
    package static func devices(count: Int) -> StandInFault { StandInFault(.devices(count: count)) }

    package static let refuses = StandInFault(.refusing)

    /// Accepts connections and closes them at once.
    package static let closesAtOnce = StandInFault(.closesAtOnce)

    /// Accepts connections and sends nothing.
    package static let silent = greeting([])

    /// Sends another server's greeting instead of gpsd's, and nothing after it.
    package static func greeting(_ bytes: [UInt8]) -> StandInFault { StandInFault(.greeting(bytes)) }

    /// Sends the greeting of an SSH server.
    package static let ssh = greeting(Array("SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u3\r\n".utf8))

    /// Sends the answer of a web server to a client that does not speak HTTP.
    package static let http = greeting(
        Array("HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 11\r\n\r\nBad Request".utf8))

    /// Answers every `?WATCH` with an error.
    package static func deniesWatch(message: String) -> StandInFault { StandInFault(.denial(message)) }
}

enum StandInEffect: Hashable, Sendable {
    /// A condition holds until it is cleared, or until a duration has passed.
    case condition(StandInCondition, Duration?)
    /// The line ends after a number of bytes, or in its middle, without its line end.
    case cut(bytes: Int?)
    /// Random bytes that the seed of the step determines are inserted.
    case garbage(bytes: Int)
    case insert([UInt8])
    /// A report of an unknown class is inserted; it is made when it is sent, because it can have a megabyte.
    case long(bytes: Int)
    /// Nothing more is sent for a duration, or ever again if it is `nil`.
    case pause(Duration?)
    /// The connection ends, abruptly if `reset` is set; at the next line only if no client watches.
    case hangUp(reset: Bool)
    /// All connections end, and are refused for a duration.
    case restart(Duration)
}

/// A state of a stand-in that a fault begins; of those with a value the newest one counts.
enum StandInCondition: Hashable, Sendable {
    /// The receiver has no fix.
    case lost
    /// The receiver is unplugged.
    case unplugged
    /// Nothing is sent, and what would have been sent is lost.
    case silent
    /// Connections are refused.
    case refusing
    /// Connections are accepted and closed at once.
    case closesAtOnce
    /// Each line arrives later by a duration.
    case delay(Duration)
    /// Everything is sent in chunks with a pause between them.
    case chunks(bytes: Int, gap: Duration)
    /// Each epoch is reported in two parts.
    case partial
    /// The greeting names this release.
    case release(String)
    /// The greeting is that of another server, and nothing follows it.
    case greeting([UInt8])
    /// Each `?WATCH` is answered with this error.
    case denial(String)
    /// At least so many devices are listed.
    case devices(count: Int)
}

extension SplitMix64 {
    /// Returns random bytes without a newline.
    mutating func garbage(bytes count: Int) -> [UInt8] {
        (0..<count).map { _ in
            let byte = UInt8(truncatingIfNeeded: next())
            return byte == UInt8(ascii: "\n") ? 0 : byte
        }
    }
}
