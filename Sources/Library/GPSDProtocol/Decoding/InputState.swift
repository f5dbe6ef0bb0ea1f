/// The state of a `RecordingInput`: the stages of its decoding, and the bytes that wait to be delivered.
struct InputState {
    /// The number of bytes that are read at once while it is undecided what becomes of them, so that all of them fit into a buffer.
    static let undecidedPiece = 32_768

    /// The descriptor that was opened or given; once there are stages, which read it in threads of their own, a copy of a given one.
    var source: Int32
    /// Whether the descriptor is closed with the input.
    var isOwned: Bool
    var stages: [any DecodingStage] = []
    /// The descriptor of the end of a stage that is waited for after the end of the output, if any.
    var awaited: Int32?
    /// The bytes of the current stage that decide about its format; `nil` once that is decided.
    var beginning: [UInt8]? = []
    /// The bytes to deliver before those of the descriptor.
    var pending: ArraySlice<UInt8> = []
    /// The first bytes of a log, for a message.
    var logBeginning: [UInt8]?
    /// Whether a log has given any line.
    var hasResult = false
    /// The number of bytes that were delivered, and of the reports that were made of them; see `InputExpansion`.
    var expansion = 0

    /// The descriptor of the bytes.
    var output: Int32 { stages.last?.output ?? source }

    mutating func takePending(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        guard !pending.isEmpty, !buffer.isEmpty else { return nil }
        let piece = pending.prefix(buffer.count)
        buffer.copyBytes(from: piece)
        pending = pending.dropFirst(piece.count)
        return piece.count
    }
}
