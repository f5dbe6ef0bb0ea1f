import Testing

@testable import GPSDReports

@Suite struct MessagePiecesTests {
    private func pieces(_ bytes: [UInt8]) -> [[UInt8]] { MessagePieces(bytes[...]).map { Array($0) } }

    @Test func `each sentence is a piece`() {
        let lines = ["$GPGGA,1*00\r\n", "$GPRMC,2*00\r\n", "!AIVDM,3*00\r\n", "\n", "$GP"]
        #expect(pieces(Array(lines.joined().utf8)) == lines.map { Array($0.utf8) })
    }

    @Test func `each binary message begins a piece`() {
        let first: [UInt8] = [0xB5, 0x62, 5, 1, 2, 0, 6, 1, 15, 56]
        let second: [UInt8] = [0xD3, 0x00, 0x01, 7, 1, 2, 3]
        let third: [UInt8] = [0x10, 0x41, 9, 0x10, 0x03]
        #expect(pieces(first + first + second + third + third) == [first, first, second + third, third])
    }

    @Test func `the pieces are all the bytes, and none is long`() {
        var generator = SystemRandomNumberGenerator()
        for count in 0..<400 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let pieces = pieces(bytes)
            #expect(pieces.flatMap(\.self) == bytes)
            #expect(pieces.allSatisfy { 1...256 ~= $0.count })
        }
        #expect(pieces([UInt8](repeating: 0, count: 100)).map(\.count) == [32, 32, 32, 4])
        #expect(pieces([UInt8](repeating: 0x41, count: 300)).map(\.count) == [256, 44])
        // A slice that does not begin at 0.
        #expect(Array(MessagePieces([0x41, 10, 0x42, 10][2...])) == [[0x42, 10]])
    }
}
