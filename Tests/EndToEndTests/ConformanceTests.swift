import GPSDSimulation
import LocationCore
import LocationTesting
import TestSupport
import Testing

@testable import LocationGPSD

/// The rules of every provider, checked with a stand-in; `SerialReceiverSourceTests` and `StreamReceiverSourceTests` check them with a real gpsd.
@Suite(.serialized, .withFew) struct ConformanceTests {
    private static let standInConformance = LocationProviderConformance(
        "a gpsd source over a stand-in", patience: .seconds(30)
    ) {
        let standIn = try StandInGPSD(positions: 100)
        return ConformanceSubject(
            standIn.source(ConnectionTimeouts(), reconnects: false),
            emit: {
                try await eventually(
                    "clients that watch", within: .seconds(30), { standIn.progress }, is: { $0.watchers == $0.clients })
                standIn.send(lines: 1)
            },
            fail: {
                standIn.hangUp()
                return LocationError.connectionLost(
                    host: standIn.endpoint.host, port: standIn.endpoint.port,
                    cause: "the daemon closed the connection")
            },
            // Counted by the stand-in: a session holds one connection to it.
            runningSessions: { standIn.progress.clients })
    }

    // A live session ends only by a failure, and has the system's clock.
    @Test(arguments: ConformanceTests.standInConformance.checks(leavingOut: [.nothingAfterEnd, .measuresLimits]))
    func `a stand-in source conforms`(check: LocationProviderConformance.Check) async throws { try await check.run() }
}
