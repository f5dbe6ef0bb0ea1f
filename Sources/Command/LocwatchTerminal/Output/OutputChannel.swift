import Glibc
package import LocationCore
package import LocwatchPlatform

/// The standard output of a session, or its messages, which writes whole lines at once and never blocks a live session.
///
/// In a live session the newest lines matter: while the reader is slow, a bounded backlog waits for it, and dropped
/// lines are counted and announced in their place. A recording waits for its reader instead, and loses nothing.
package final class OutputChannel {
    /// The reaction to a slow reader.
    package enum Backpressure { case live, complete }

    /// The number of bytes of a recording that are gathered before a write: with one more line they fit into 64 kB of memory.
    private static let batch = 60 * 1024

    /// The time in milliseconds after a signal for which the program waits for a reader that takes nothing.
    private static let shutdownTimeout: Int32 = 2000

    private let descriptor: Int32
    /// Whether the descriptor belongs to the channel.
    private let isOwn: Bool
    private let backpressure: Backpressure
    private let prepare: () -> Void
    /// Creates the line that announces dropped lines.
    private let announce: (Notice) -> [UInt8]
    /// The output that the reader has not taken, in one place, because each access to a property of a class is checked.
    private var pending = PendingOutput()
    /// Whether a write takes what there is room for and waits for nothing, so that no question for room precedes it.
    private let writesAtOnce: Bool
    /// Whether the reader took nothing after a signal, so that nothing more is written.
    private var isGivenUp = false

    /// Creates a channel to the standard output of a console.
    package convenience init(
        _ console: Console, _ backpressure: Backpressure, announce: @escaping (Notice) -> [UInt8] = { _ in [] }
    ) {
        self.init(console.output, backpressure, prepare: console.beginOutput, announce: announce)
    }

    init(
        _ descriptor: Int32, _ backpressure: Backpressure, prepare: @escaping () -> Void = {},
        announce: @escaping (Notice) -> [UInt8]
    ) {
        // A terminal that is ready can still have less room than a write needs, which would wait for more. A pipe needs no question.
        let own = backpressure == .live ? Terminal.openAgain(descriptor) : -1
        isOwn = own >= 0
        self.descriptor = isOwn ? own : descriptor
        writesAtOnce = isOwn || Terminal.isFile(descriptor)
        self.backpressure = backpressure
        self.prepare = prepare
        self.announce = announce
    }

    deinit { if isOwn { close(descriptor) } }

    /// Whether there is output that the reader has not taken yet.
    var isWaiting: Bool { !pending.isEmpty }

    /// Whether the reader has not taken all that was flushed.
    package var isBehind: Bool { pending.isBehind }

    /// The number of pieces that a slow reader has missed, without those that a newer one replaces.
    package var lost: Int { pending.lost }

    /// Appends the output of `body`.
    package func put(_ kind: BacklogKind = .other, _ body: (inout TextBuffer) -> Void) throws(OutputFailure) {
        let size = pending.append(backpressure == .live ? kind : nil, body)
        if backpressure == .complete, size >= Self.batch { try writeAll() }
    }

    /// Writes what the reader takes, without waiting for it in a live session.
    package func flush() throws(OutputFailure) {
        guard isWaiting else { return }
        prepare()
        switch backpressure {
        case .complete: try writeAll()
        case .live: try writeWhatFits()
        }
    }

    /// Adds the descriptor to the loop's poll set: for room while output waits, and to notice when the reader closes.
    package func addDescriptor(to set: inout PollSet) { set.add(descriptor, isWaiting ? POLLOUT : 0) }

    /// Throws if the reader has closed the output.
    package func check(_ set: PollSet) throws(OutputFailure) {
        if set.hasLostReader(of: descriptor) { throw .readerGone }
    }

    /// Writes everything and waits for the reader, unless a signal comes and it takes nothing.
    ///
    /// It waits by itself because the last lines of a command follow its session, and `doctor` also prints without one.
    package func finish() throws(OutputFailure) {
        guard isWaiting else { return }
        prepare()
        while backpressure == .live, isWaiting {
            try writeWhatFits()
            guard isWaiting else { return }
            // After a signal, a reader that takes nothing for this long will not take the rest either.
            if pollForRoom(Self.shutdownTimeout) == 0, CaughtSignals.first != nil { return }
        }
        try writeAll()
    }

    private func writeAll() throws(OutputFailure) {
        defer { pending.fresh.removeAll() }
        try pending.fresh.written.withUnsafeBufferPointer { (bytes) throws(OutputFailure) in
            var rest = bytes[...]
            while !rest.isEmpty {
                // After a signal, a reader that takes nothing must not keep the program running.
                var next = rest
                if CaughtSignals.first != nil {
                    isGivenUp = isGivenUp || pollForRoom(Self.shutdownTimeout) == 0
                    if isGivenUp { return }
                    next = rest.prefix(PendingOutput.wholePiece)
                }
                rest = rest.dropFirst(try writePiece(next))
            }
        }
    }

    /// Writes a part of the bytes and returns its length.
    private func writePiece(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) throws(OutputFailure) -> Int {
        let count = write(descriptor, UnsafeBufferPointer(rebasing: bytes).baseAddress, bytes.count)
        let code = errno
        if count < 0, code == EAGAIN { _ = pollForRoom(-1) }
        return try PendingOutput.written(count, code)
    }

    private func writeWhatFits() throws(OutputFailure) {
        try pending.write(to: descriptor, atOnce: writesAtOnce, announce: announce)
    }

    /// Waits until the reader takes output, for at most a time in milliseconds; returns the result of `poll`.
    private func pollForRoom(_ timeout: Int32) -> Int32 { PendingOutput.pollForRoom(at: descriptor, timeout) }
}

extension PollSet {
    /// Returns whether the reader of an output has closed it.
    package func hasLostReader(of output: Int32) -> Bool {
        // A pipe reports an error then, and a socket, which tmux gives to its programs, that its peer has hung up.
        isReady(output, POLLERR | POLLHUP)
    }
}
