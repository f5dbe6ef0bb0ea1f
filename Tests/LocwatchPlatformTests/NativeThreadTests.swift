import Glibc
import LocwatchPlatform
import LocwatchSupport
import Testing

@Suite struct NativeThreadTests {
    /// The notes of a thread and of the test that waits for it.
    private final class Notes: Sendable {
        let told = Lock<[String]>([])
        func emit(_ text: String) { told.withLock { $0.append(text) } }
    }

    @Test func `a joined thread has ended and was asked to end only once`() throws {
        let notes = Notes()
        let mayEnd = try Event()
        let thread = try NativeThread {
            mayEnd.wait()
            notes.emit("over")
        }
        for _ in 1...2 {
            thread.join {
                notes.emit("asked")
                mayEnd.happen()
            }
        }
        #expect(notes.told.withLock { $0 } == ["asked", "over"])
    }

    @Test func `a thread receives no signals, and its creator's mask is unchanged`() throws {
        let signals = [SIGINT, SIGTERM, SIGHUP]
        let blockedBefore = blocked(of: signals)
        let notes = Notes()
        let thread = try NativeThread {
            for signal in self.blocked(of: signals) { notes.emit("\(signal)") }
        }
        thread.join()
        #expect(notes.told.withLock { $0 } == signals.map { "\($0)" })
        #expect(blocked(of: signals) == blockedBefore)
    }

    private func blocked(of signals: [Int32]) -> [Int32] {
        var mask = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &mask)
        return signals.filter { sigismember(&mask, $0) == 1 }
    }
}
