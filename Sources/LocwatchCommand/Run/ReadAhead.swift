import GPSDReports
import LocationCore
import Platform
import Synchronization

/// Reads a recording on a thread of its own, some chunks ahead of whoever takes what they tell: two cores share the work.
///
/// Chunks come out in their order and hold what they would have held without the thread.
final class ReadAhead: Sendable {
    /// What a chunk of the file tells.
    struct Batch: Sendable {
        /// The chunk itself, where somebody wants it.
        var chunk: [UInt8] = []
        var updates: [LocationUpdate] = []
        /// Whether nothing comes after it.
        var hasEnded = false
        /// What ends the session after it.
        var failure: LocationError?
    }

    private struct State {
        var batches: [Batch] = []
        var isAbandoned = false
    }

    /// How much is read at a time.
    static let chunk = 256 * 1024
    /// How many chunks may wait: enough that neither side stands still, and no more, for the memory they take.
    private static let depth = 3

    /// Happens while there is something to take.
    let ready: Event
    private let room: Event
    private let state = Mutex(State())

    /// Begins to read a recording, which is closed when that is over.
    init(of input: RecordingInput, keepsChunks: Bool) throws(SystemFailure) {
        ready = try Event()
        room = try Event()
        try NativeThread.start { [self] in
            read(input, keepsChunks: keepsChunks)
            input.close()
        }
    }

    /// The next chunk's batch, if it is there already.
    func take() -> Batch? {
        state.withLock { state in
            if state.batches.count <= 1 { ready.clear() }
            guard !state.batches.isEmpty else { return nil }
            if state.batches.count == Self.depth { room.happen() }
            return state.batches.removeFirst()
        }
    }

    /// Lets the thread end: nobody takes any more.
    func abandon() {
        state.withLock { state in
            state.isAbandoned = true
            state.batches = []
            room.happen()
        }
    }

    private func read(_ input: RecordingInput, keepsChunks: Bool) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunk, alignment: 64)
        defer { buffer.deallocate() }
        var reader = RecordingReader(name: input.name)
        while hasRoom() {
            var batch = Batch()
            do throws(LocationError) {
                guard let count = try input.read(into: buffer) else { continue }
                batch.hasEnded = count == 0
                let chunk = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                if keepsChunks { batch.chunk = Array(chunk) }
                try reader.read(chunk) { batch.updates.append($0) }
            } catch {
                batch.failure = error
            }
            let isLast = batch.hasEnded || batch.failure != nil
            put(batch)
            if isLast { return }
        }
    }

    private func put(_ batch: Batch) {
        state.withLock { state in
            guard !state.isAbandoned else { return }
            state.batches.append(batch)
            if state.batches.count == 1 { ready.happen() }
        }
    }

    /// Waits until there is room for another chunk; answers whether anybody still wants one.
    private func hasRoom() -> Bool {
        while true {
            let (isFull, isAbandoned) = state.withLock { state in
                // Under the lock, so that room which is made from now on is told of.
                room.clear()
                return (state.batches.count >= Self.depth, state.isAbandoned)
            }
            if isAbandoned { return false }
            if !isFull { return true }
            room.wait()
        }
    }
}
