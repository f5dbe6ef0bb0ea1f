/// The state of a `RecordingInput`: the stages of its decoding, and the bytes that wait to be delivered.
struct InputState {
    /// The number of bytes of a result that are kept until it shows that it is of use.
    static let doubtfulLimit = 32_768

    /// The descriptor that was opened or given.
    var source: Int32
    var stages: [InputStage] = []
    /// The bytes of the current stage that decide about its format; `nil` once that is decided.
    var beginning: [UInt8]? = []
    /// The bytes to deliver before those of the descriptor.
    var pending: ArraySlice<UInt8> = []
    /// The result of gpsdecode, until it is of use.
    var doubtful: [UInt8]?
    /// The first bytes of a log, for a message.
    var logBeginning: [UInt8]?
    /// Whether the first bytes of a log look like a receiver's.
    var isFamiliar = false
    var hasResult = false
    /// The number of bytes that were delivered, and of the reports that were made of them; see `InputExpansion`.
    var expansion = 0

    mutating func takePending(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        guard !pending.isEmpty, !buffer.isEmpty else { return nil }
        let piece = pending.prefix(buffer.count)
        buffer.copyBytes(from: piece)
        pending = pending.dropFirst(piece.count)
        return piece.count
    }

    /// Processes the next bytes of the last stage; returns whether they can be delivered as they are.
    mutating func accept(_ piece: UnsafeRawBufferPointer) -> Bool {
        guard var kept = doubtful else {
            hasResult = true
            return true
        }
        kept.append(contentsOf: piece)
        guard kept.count > Self.doubtfulLimit || isOfUse(kept) else {
            doubtful = kept
            return false
        }
        doubtful = nil
        hasResult = true
        stages.last?.noteResult()
        pending = kept[...]
        return false
    }

    /// Returns whether one of the lines that gpsdecode has written shows that it decodes the messages of a receiver.
    ///
    /// gpsdecode makes reports without content of a text that mentions a sentence, and corrections of noise now and then:
    /// RTCM 2 has a checksum of six bits.
    private func isOfUse(_ result: [UInt8]) -> Bool {
        guard let end = result.lastIndex(of: UInt8(ascii: "\n")) else { return false }
        return result[..<end].split(separator: UInt8(ascii: "\n")).contains { line in
            guard !line.containsBytes(of: "\"class\":\"RTCM2\"") else { return false }
            return isFamiliar
                || ["\"lat\"", "\"time\"", "\"satellites\"", "\"mmsi\""].contains { line.containsBytes(of: $0) }
        }
    }
}
