import Glibc
import LocationTesting
import LocwatchPlatform
import Testing

@Suite struct NativeThreadTests {
    /// The notes of a thread and of the test that waits for it.
    private let notes = EventLog<String>()

    @Test func `a joined thread has ended and was asked to end only once`() throws {
        let mayEnd = try Event()
        let thread = try NativeThread { [notes] in
            mayEnd.wait()
            notes.append("over")
        }
        for _ in 1...2 {
            thread.join {
                notes.append("asked")
                mayEnd.happen()
            }
        }
        #expect(notes.events == ["asked", "over"])
    }

    @Test func `a thread receives no signals, and its creator's mask is unchanged`() throws {
        let signals = [SIGINT, SIGTERM, SIGHUP]
        let blockedBefore = Self.blocked(of: signals)
        let thread = try NativeThread { [notes] in
            for signal in Self.blocked(of: signals) { notes.append("\(signal)") }
        }
        thread.join()
        #expect(notes.events == signals.map { "\($0)" })
        #expect(Self.blocked(of: signals) == blockedBefore)
    }

    private static func blocked(of signals: [Int32]) -> [Int32] {
        var mask = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &mask)
        return signals.filter { sigismember(&mask, $0) == 1 }
    }
}
