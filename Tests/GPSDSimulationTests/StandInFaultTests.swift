import GPSDSimulation
import Glibc
import TestSupport
import Testing

struct StandInFaultTests {
    private let lines = RecordedText.positions(3)
    /// The bytes that a client receives without a fault.
    private var whole: [UInt8] { Array(lines.map { $0 + "\r\n" }.joined().utf8) }

    private func watched(_ faults: StandInFault...) throws -> (StandInGPSD, SocketClient) {
        let standIn = try byHand(lines, faults: faults)
        let client = try SocketClient.watching(standIn.port)
        standIn.sendRest()
        return (standIn, client)
    }

    @Test func `chunks with a pause between them arrive one by one`() throws {
        let standIn = try byHand(lines, faults: [])
        let client = try SocketClient.watching(standIn.port)
        standIn.setFaults([.chunks(bytes: 100, gap: .milliseconds(100))])
        // On a busy machine two chunks can arrive at once, but not of each line.
        let isInPieces = lines.contains { line in
            standIn.send(lines: 1)
            let length = line.utf8.count + 2
            return client.pieces(of: length) == [100, 100, length - 200]
        }
        #expect(isInPieces)
    }

    @Test func `a stall of limited duration loses no bytes`() throws {
        let start = ContinuousClock.now
        let (standIn, client) = try watched(.stall(.within(line: 2, byte: 10), duration: .milliseconds(30)))
        #expect(client.bytes(whole.count) == whole)
        #expect(ContinuousClock.now - start >= .milliseconds(30))
        standIn.stop()
    }

    @Test(arguments: [
        (StandInFault.Place.before(line: 2), 0), (.within(line: 2, byte: 17), 17), (.after(line: 2), .max),
    ])
    func `a connection ends at the place of its fault`(place: StandInFault.Place, byte: Int) throws {
        let (standIn, client) = try watched(.hangUp(place))
        let first = lines[0].utf8.count + 2
        #expect(client.rest() == Array(whole[..<(first + min(byte, lines[1].utf8.count + 2))]))
        #expect(client.ending == 0)
        #expect(standIn.wait { $0.clients == 0 })
    }

    @Test(arguments: [StandInFault.Place.before(line: 1), .within(line: 2, byte: 17), .after(line: 2)])
    func `a connection is reset at the place of its fault`(place: StandInFault.Place) throws {
        let (standIn, client) = try watched(.reset(place))
        #expect(whole.starts(with: client.rest()))
        #expect(client.ending == ECONNRESET)
        #expect(standIn.wait { $0.clients == 0 })
    }

    @Test func `garbage is inserted at its place and depends only on the seed`() throws {
        let fault = StandInFault.garbage(bytes: 50, seed: 7, .within(line: 1, byte: 5))
        let (standIn, client) = try watched(fault)
        let got = client.bytes(whole.count + 50)
        #expect(Array(got[..<5] + got[55...]) == whole)
        #expect(fault == .insert(Array(got[5..<55]), .within(line: 1, byte: 5)))
        #expect(fault == .garbage(bytes: 50, seed: 7, .within(line: 1, byte: 5)))
        #expect(fault != .garbage(bytes: 50, seed: 8, .within(line: 1, byte: 5)))
        standIn.stop()
    }

    @Test func `several faults in one line keep their places`() throws {
        let (standIn, client) = try watched(
            .hangUp(.within(line: 1, byte: 20)), .insert([1, 2], .within(line: 1, byte: 4)),
            .insert([3], .before(line: 1)))
        var expected: [UInt8] = whole
        expected.insert(contentsOf: [1, 2], at: 4)
        expected.insert(3, at: 0)
        #expect(client.rest() == Array(expected.prefix(23)))
        standIn.stop()
    }

    @Test(arguments: [(false, 0), (true, ECONNRESET)])
    func `a hang-up by hand closes or resets all connections`(reset: Bool, ending: Int32) throws {
        let standIn = try byHand(lines)
        let clients = try (0..<3).map { _ in try SocketClient.watching(standIn.port) }
        standIn.hangUp(reset: reset)
        for client in clients {
            #expect(client.rest() == [])
            #expect(client.ending == ending)
        }
        #expect(try SocketClient(standIn.port).line() == RecordedText.version)
    }
}
