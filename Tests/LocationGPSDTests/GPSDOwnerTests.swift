import LocationCore
import LocwatchSupport
import Testing

@testable import LocationGPSD

@Suite struct GPSDOwnerTests {
    @Test func `a receiver whose gpsd cannot be started is released, and attached again by the next session`() {
        let attached = Lock(0)
        let detached = Lock(0)
        let failure = LocationError.daemonUnavailable(cause: "Too many open files")
        let daemon = GPSDOwner { () throws(LocationError) in
            attached.withLock { $0 += 1 }
            return AttachedReceiver(path: "/dev/none") { detached.withLock { $0 += 1 } }
        } launch: { (_) throws(LocationError) in
            throw failure
        }
        for count in 1...2 {
            #expect(throws: failure) { try daemon.join() }
            #expect(attached.withLock { $0 } == count && detached.withLock { $0 } == count)
            #expect(daemon.userCount == 0)
        }
    }
}
