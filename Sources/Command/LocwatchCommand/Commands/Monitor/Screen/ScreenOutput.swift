import LocwatchTerminal

/// The output of frames to a terminal that may be slow: a frame is encoded only when the one before is written, so
/// that a slow terminal skips frames and delays nothing.
struct ScreenOutput {
    private let terminal: any ScreenTerminal
    private var encoder: FrameEncoder
    private var pending: ArraySlice<UInt8> = []

    init(_ terminal: any ScreenTerminal, depth: ColorDepth) {
        self.terminal = terminal
        encoder = FrameEncoder(depth: depth)
    }

    /// Whether a frame is still being written.
    var isWaiting: Bool { !pending.isEmpty }

    /// Makes the next frame a complete one.
    mutating func forget() { encoder.forget() }

    mutating func show(_ frame: Frame) throws(OutputFailure) {
        pending += encoder.bytes(for: frame)
        try flush()
    }

    /// Writes what the terminal takes.
    mutating func flush() throws(OutputFailure) {
        while !pending.isEmpty {
            let count = try terminal.write(pending)
            guard count > 0 else { return }
            pending = pending.dropFirst(count)
        }
        pending = []
    }
}
