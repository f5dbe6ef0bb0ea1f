package import LocationCore

/// A conversion of a file of another format into lines of gpsd's JSON, while the file is read.
package protocol RecordingConversion: AnyObject {
    /// Appends the lines that follow from the next bytes of the file; an empty piece ends the file.
    func convert(_ piece: UnsafeRawBufferPointer, to lines: inout [UInt8]) throws(LocationError)
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

    let recognize: Function

    /// Creates a recognizer.
    package init(_ recognize: @escaping Function) { self.recognize = recognize }
}

/// The bytes of an input that are converted into lines of gpsd's JSON if they are of another format.
///
/// Memory is bounded: the input is read in small pieces, and a piece is read after the lines of the one before have been
/// taken.
///
/// `@unchecked`: an input is read by one thread at a time.
final class ConvertedBytes: @unchecked Sendable {
    /// The size of a piece of the input.
    static let piece = 32 * 1024
    /// The number of bytes that decide about the format at the latest.
    static let beginning = 4096

    private enum State {
        case recognizing([UInt8])
        case passing
        case converting(any RecordingConversion)
    }

    private let recognizer: RecordingRecognizer
    private let name: String
    private var state = State.recognizing([])
    private var lines: [UInt8] = []
    private var head = 0
    private var isAtEnd = false
    /// The number of bytes of the input that were read since the last call of `takeCount`.
    private var count = 0

    init(_ recognizer: RecordingRecognizer, name: String) {
        self.recognizer = recognizer
        self.name = name
    }

    /// Whether lines are available without reading the input.
    var isReady: Bool { head < lines.count || isAtEnd }

    /// Returns the number of bytes of the input that were read since the last call.
    func takeCount() -> Int {
        defer { count = 0 }
        return count
    }

    /// Reads the available bytes or lines; returns 0 at the end, or `nil` if none are available yet.
    ///
    /// - Parameters:
    ///   - isFile: Whether the input is a regular file, which can be read again without waiting.
    ///   - read: Reads the available bytes of the input in the same way.
    func read(
        into buffer: UnsafeMutableRawBufferPointer, isFile: Bool,
        _ read: (UnsafeMutableRawBufferPointer) throws(LocationError) -> Int?
    ) throws(LocationError) -> Int? {
        while head == lines.count {
            if isAtEnd { return 0 }
            if case .passing = state {
                let count = try read(buffer)
                self.count += count ?? 0
                return count
            }
            // Another read of a pipe could block.
            guard try fill(read), isFile || isReady else { return nil }
        }
        let count = min(buffer.count, lines.count - head)
        lines.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[head..<head + count])) }
        head += count
        if head == lines.count {
            lines.removeAll(keepingCapacity: true)
            head = 0
        }
        return count
    }

    /// Reads and converts the next piece; returns `false` if none has arrived yet.
    private func fill(_ read: (UnsafeMutableRawBufferPointer) throws(LocationError) -> Int?) throws(LocationError)
        -> Bool
    {
        var result = Result<Int?, LocationError>.success(nil)
        let piece = [UInt8](unsafeUninitializedCapacity: Self.piece) { buffer, length in
            let buffer = UnsafeMutableRawBufferPointer(buffer)
            result = Result { () throws(LocationError) in try read(buffer) }
            if case .success(let count?) = result { length = count }
        }
        guard try result.get() != nil else { return false }
        count += piece.count
        isAtEnd = piece.isEmpty
        switch state {
        case .recognizing(let beginning): try recognize(beginning + piece)
        case .converting(let conversion): try convert(piece, by: conversion)
        case .passing: break
        }
        return true
    }

    private func recognize(_ beginning: [UInt8]) throws(LocationError) {
        let (isWhole, recognizer, name) = (isAtEnd || beginning.count >= Self.beginning, recognizer, name)
        let answer = beginning.withUnsafeBytes { beginning in
            Result { () throws(LocationError) in try recognizer.recognize(beginning, isWhole, name) }
        }
        switch try answer.get() {
        case .undecided where !isWhole: state = .recognizing(beginning)
        case .undecided, .session:
            state = .passing
            lines = beginning
        case .other(let conversion):
            state = .converting(conversion)
            if !beginning.isEmpty { try convert(beginning, by: conversion) }
            if isAtEnd { try convert([], by: conversion) }
        }
    }

    private func convert(_ piece: [UInt8], by conversion: any RecordingConversion) throws(LocationError) {
        var lines: [UInt8] = []
        swap(&lines, &self.lines)
        defer { swap(&lines, &self.lines) }
        let result = piece.withUnsafeBytes { piece in
            Result { () throws(LocationError) in try conversion.convert(piece, to: &lines) }
        }
        try result.get()
    }
}
