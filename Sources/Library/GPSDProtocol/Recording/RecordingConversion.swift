package import LocationCore
package import LocwatchSupport

/// A conversion of a file of another format into updates, while the file is read.
package protocol RecordingConversion: AnyObject {
    /// Whether updates of the bytes so far are still to be emitted by `resume` before the next call of `convert`.
    var hasMore: Bool { get }
    /// Appends some more updates of the bytes so far.
    func resume(includesLines: Bool, into updates: inout ReusedQueue<LocationUpdate>) throws(LocationError)
    /// Appends the updates that follow from the next bytes of the file; an empty piece ends the file.
    ///
    /// - Parameter includesLines: Whether the content is also emitted as lines of gpsd's JSON, before their events.
    func convert(
        _ piece: UnsafeRawBufferPointer, includesLines: Bool, into updates: inout ReusedQueue<LocationUpdate>
    ) throws(LocationError)
}

/// A recognizer of files of other formats by their beginning.
package struct RecordingRecognizer: Sendable {
    /// The format of a file.
    package enum Answer {
        /// The beginning is too short to tell.
        case undecided
        /// gpsd's JSON, which is read as it is.
        case session
        /// Another format.
        case other(any RecordingConversion)
    }

    /// Returns the format of a file; `isWhole` tells that the beginning is the whole file, and the last argument is its
    /// name in messages.
    package typealias Function =
        @Sendable (_ beginning: UnsafeRawBufferPointer, _ isWhole: Bool, _ name: String) throws(LocationError) -> Answer

    /// The number of bytes that decide about the format at the latest.
    static let beginning = 4096
    /// The number of bytes of a whole file that are converted at a time.
    private static let piece = 1 << 16

    private let recognize: Function

    package init(_ recognize: @escaping Function) { self.recognize = recognize }

    /// Returns the format of a file from its beginning, which is decided at its end.
    func format(of beginning: [UInt8], isAtEnd: Bool, named name: String) throws(LocationError) -> Answer {
        let isWhole = isAtEnd || beginning.count >= Self.beginning
        let answer = try beginning.withUnsafeBufferPointer { (beginning) throws(LocationError) in
            try recognize(UnsafeRawBufferPointer(beginning), isWhole, name)
        }
        if case .undecided = answer, isWhole { return .session }
        return answer
    }

    /// Returns a whole file as lines of gpsd's JSON, or unchanged if these are its format.
    func lines(of bytes: [UInt8], named name: String, limit: Int) throws(LocationError) -> [UInt8] {
        let beginning = Array(bytes.prefix(RecordingReader.smallPiece))
        guard case .other(let conversion) = try format(of: beginning, isAtEnd: true, named: name) else { return bytes }
        var lines: [UInt8] = []
        var updates = ReusedQueue<LocationUpdate>()
        // In pieces, because the parser of XML has a limit for its memory and copies each piece into it.
        for start in stride(from: 0, through: bytes.count + Self.piece - 1, by: Self.piece) {
            let piece = bytes[min(start, bytes.count)..<min(start + Self.piece, bytes.count)]
            try piece.withUnsafeBufferPointer { (piece) throws(LocationError) in
                try conversion.convert(UnsafeRawBufferPointer(piece), includesLines: true, into: &updates)
                while conversion.hasMore { try conversion.resume(includesLines: true, into: &updates) }
            }
            while let update = updates.popFirst() {
                guard case .line(let line) = update.event else { continue }
                lines += line
                lines.append(UInt8(ascii: "\n"))
            }
            guard lines.count <= limit else { throw .tooLarge(path: name, limit: limit) }
        }
        return lines
    }
}
