package import LocationCore

/// A decoder of the raw logs of receivers, which another module provides: this one starts no gpsd.
package protocol LogDecoder: Sendable {
    /// Starts to decode a log into lines of gpsd's JSON.
    func start(_ log: RawLog) throws(LocationError) -> any DecodingStage
}

/// The bytes of a raw log.
package struct RawLog: Sendable {
    /// The bytes that were read already.
    package var beginning: [UInt8]
    /// The descriptor of the bytes after them, which stays open until the stage has ended.
    package var source: Int32
    /// Whether the first bytes contain the beginning of a message that gpsd knows.
    package var isFamiliar: Bool

    /// The limit of the bytes of a compressed log.
    package var isExcessive: InputExcess = { _ in false }

    /// The number of bytes of which gpsd must decode something.
    package static let resultLimit = 1 << 20
}

/// A limit of the bytes of an input that is made of a compressed one: returns whether so many are too many.
package typealias InputExcess = @Sendable (_ bytes: Int) -> Bool

/// A step between an input and its reader, which runs on a thread of its own.
package protocol DecodingStage: Sendable {
    /// The descriptor to read the result from, non-blocking.
    var output: Int32 { get }
    /// The program that decodes, as messages name it, if it is said.
    var decoder: String? { get }
    /// The number of bytes that were read from the source.
    var bytesRead: Int { get }
    /// Whether decoding ended early because nothing came of the first bytes, or because the input became too much.
    var hasGivenUp: Bool { get }

    /// Returns the notices about the result so far that were not returned before.
    func takeNotices() -> [Notice]
    /// The descriptor that is readable once `failure(named:)` can be asked, after the end of the output; `nil` if it can be asked now.
    ///
    /// A program can have closed its output without having ended.
    var pendingEnd: Int32? { get }
    /// Returns the error at which the stage ended, after the end of its output; `nil` if the input was read to its end.
    func failure(named name: String) -> LocationError?
    /// Ends the stage and closes its descriptors, and waits for that; call once, and do not use the stage afterwards.
    func end()
}

extension DecodingStage {
    package var decoder: String? { nil }
    package var pendingEnd: Int32? { nil }
}

extension LocationError {
    /// Returns the error for a log that no provider with a decoder reads.
    static func withoutDecoder(_ name: String) -> LocationError {
        .rawLog(path: name)
    }
}
