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
    /// The result of gpsdecode for bytes that do not look like a receiver's, until it is of use.
    var doubtful: [UInt8]?
    /// The first bytes of a log, for a message.
    var logBeginning: [UInt8]?
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
    ///
    /// gpsdecode makes reports without content of a text that mentions a sentence.
    mutating func accept(_ piece: UnsafeRawBufferPointer) -> Bool {
        guard var kept = doubtful else {
            if !hasResult {
                hasResult = true
                stages.last?.noteResult()
            }
            return true
        }
        kept.append(contentsOf: piece)
        let isOfUse =
            kept.count > Self.doubtfulLimit
            || ["\"lat\"", "\"time\"", "\"satellites\"", "\"mmsi\""].contains { kept[...].containsBytes(of: $0) }
        doubtful = isOfUse ? nil : kept
        guard isOfUse else { return false }
        hasResult = true
        stages.last?.noteResult()
        pending = kept[...]
        return false
    }
}
