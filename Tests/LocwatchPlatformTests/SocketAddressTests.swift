import Foundation
import LocationTesting
import LocwatchPlatform
import LocwatchSupport
import TestSupport
import Testing

@Suite(.serialized, .alone) struct SocketAddressTests {
    @Test func `a signal that is handled while a connection is made does not end the attempt`() async throws {
        // Without SA_RESTART, and nothing to do.
        var action = sigaction()
        var before = sigaction()
        action.__sigaction_handler.sa_handler = { _ in }
        try #require(sigaction(SIGUSR2, &action, &before) == 0)
        defer { sigaction(SIGUSR2, &before, nil) }
        let hole = try BlackHole()
        let thread = Lock<(handle: pthread_t, place: String)?>(nil)
        let outcome = Lock<Result<Int32, SystemFailure>?>(nil)
        let address = SocketAddress.loopback4.with(port: hole.port)
        let attempt = try NativeThread {
            var signals = sigset_t()
            sigaddset(&signals, SIGUSR2)
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            let place = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
            thread.withLock { $0 = (pthread_self(), place ?? "") }
            let result = Result { () throws(SystemFailure) in try address.connect(within: .seconds(3600)) }
            outcome.withLock { $0 = result }
        }
        let (handle, place) = try #require(
            try await eventually("the attempt", within: .seconds(60), { thread.withLock { $0 } }, is: { $0 != nil }))
        for _ in 1...5 {
            try await eventually(
                "the wait", within: .seconds(60),
                { try? String(contentsOfFile: "/proc/\(place)/status", encoding: .utf8) },
                is: { $0?.contains("State:\tS") ?? true })
            pthread_kill(handle, SIGUSR2)
        }
        hole.open()
        attempt.join()
        let connection = try #require(outcome.withLock { $0 }).get()
        #expect(connection >= 0)
        close(connection)
    }
}
