import GPSDSimulation
import LocationCore
import LocationTesting
import LocwatchPlatform
import TestSupport
import Testing

@testable import LocationGPSD

/// The rules of every provider, checked with a stand-in and with a real gpsd.
@Suite(.serialized, .alone) struct ConformanceTests {
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

    // A live session ends only by a failure.
    @Test(arguments: ConformanceTests.standInConformance.checks(leavingOut: [.nothingAfterEnd]))
    func `a stand-in source conforms`(check: LocationProviderConformance.Check) async throws { try await check.run() }

    @Test func `a source over a real gpsd conforms`() async throws {
        var scenario = ReceiverScenario.walk
        scenario.rate = 10
        let receiver = try SimulatedReceiver(scenario)
        let daemon = try LoopbackGPSD(devices: [receiver.path])
        let port = daemon.port
        let conformance = LocationProviderConformance("a gpsd source over gpsd", patience: .seconds(30)) {
            ConformanceSubject(
                // The receiver reports ten times a second by itself, so `tell` has nothing to do.
                GPSDLocationSource(.loopback(port)), emit: {}, runningSessions: { connections(to: port) })
        }
        for check in conformance.checks(leavingOut: [.nothingAfterEnd, .failureIsThrown]) { try await check.run() }
        withExtendedLifetime((receiver, daemon)) {}
    }
}

/// Returns the number of connections of this process to a port of this machine.
private func connections(to port: UInt16) -> Int {
    (0..<1024).count { SocketAddress.peer(of: $0)?.port == port }
}
