import Glibc
import Testing

@testable import GPSDSimulation

struct WireQueueTests {
    /// A pair of connected sockets.
    private final class Pair {
        let ends: [Int32]

        init() {
            var ends: [Int32] = [-1, -1]
            socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
            self.ends = ends
        }

        deinit { for end in ends { close(end) } }

        func drain() {
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while recv(ends[1], &buffer, buffer.count, Int32(MSG_DONTWAIT)) > 0 {}
        }
    }

    @Test func `lines that were sent are not kept while others wait`() {
        let pair = Pair()
        var queue = WireQueue()
        for _ in 0..<100 {
            queue.append(.bytes([UInt8](repeating: 0x61, count: 100_000)))
            _ = queue.flush(to: pair.ends[0], at: .zero, chunk: nil)
            // The reader lags behind by a part of a line, so that the queue is never empty.
            if queue.byteCount > 200_000 { pair.drain() }
        }
        let held = queue.steps.reduce(0) { if case .bytes(let bytes) = $1 { $0 + bytes.count } else { $0 } }
        #expect(held <= queue.byteCount + 100_000)
    }

    @Test func `the memory of a slow client is given back when it has read all`() {
        let pair = Pair()
        var queue = WireQueue()
        for _ in 0..<100_000 { queue.append(.bytes([0x61])) }
        #expect(queue.steps.capacity >= 100_000)
        while queue.flush(to: pair.ends[0], at: .zero, chunk: nil) != .idle { pair.drain() }
        #expect(queue.byteCount == 0 && queue.steps.capacity < 3_000)
    }
}
