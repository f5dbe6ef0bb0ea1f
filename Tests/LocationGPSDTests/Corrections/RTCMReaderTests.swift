import TestSupport
import Testing

@testable import LocationGPSD

@Suite struct RTCMReaderTests {
    /// Message 1005 as the standard prints it.
    private static let printed: [UInt8] = [
        0xD3, 0x00, 0x13, 0x3E, 0xD7, 0xD3, 0x02, 0x02, 0x98, 0x0E, 0xDE, 0xEF, 0x34, 0xB4, 0xBD, 0x62, 0xAC, 0x09,
        0x41, 0x98, 0x6F, 0x33, 0x36, 0x0B, 0x98,
    ]

    static func messages(in bytes: [UInt8], piece: Int = 1 << 20) -> (messages: [[UInt8]], skipped: Int) {
        var reader = RTCMReader()
        var messages: [[UInt8]] = []
        for piece in bytes.pieces(of: piece) { reader.feed(piece) { messages.append($0) } }
        return (messages, reader.skipped)
    }

    @Test func `the message that the standard prints is read, wherever the bytes are split`() {
        let bytes = Self.printed + Self.printed
        for piece in 1...bytes.count {
            let (messages, skipped) = Self.messages(in: bytes, piece: piece)
            #expect(messages == [Self.printed, Self.printed], "in pieces of \(piece)")
            #expect(skipped == 0)
        }
    }

    @Test func `bytes between messages are skipped, also those that look like the beginning of one`() {
        let noise: [UInt8] = [0xD3, 0x00, 0x02] + Array("$GPGGA,x\r\n".utf8) + [0xD3, 0xD3, 0xFF]
        let (messages, skipped) = Self.messages(in: noise + Self.printed + noise + Self.printed)
        #expect(messages == [Self.printed, Self.printed])
        #expect(skipped == 0, "the count begins again with each message")
    }

    @Test(arguments: 0..<25)
    func `a message with a wrong byte is skipped`(place: Int) {
        var damaged = Self.printed
        damaged[place] ^= 0x10
        // Enough bytes that the longest message would end.
        let padding = [UInt8](repeating: 0, count: RTCMReader.longest)
        #expect(Self.messages(in: damaged + padding).messages.isEmpty)
        #expect(Self.messages(in: damaged + padding).skipped > 0)
    }

    /// Returns a message with a number, whose bytes after it are given, in a frame with a right checksum.
    private static func message(_ number: Int, _ content: [UInt8] = Array(0..<20)) -> [UInt8] {
        let frame = [0xD3, 0, UInt8(content.count + 2), UInt8(number >> 4), UInt8(number & 15) << 4] + content
        let sum = RTCMReader.checksum(of: frame)
        return frame + [UInt8(sum >> 16), UInt8(sum >> 8 & 0xFF), UInt8(sum & 0xFF)]
    }

    @Test func `only the numbers of corrections pass`() {
        let passing = (0..<4096).filter { Self.messages(in: Self.message($0)).messages == [Self.message($0)] }
        #expect(passing == Array(1001...1028) + Array(1030...1230) + [4072, 4073, 4076])
        let read = Self.messages(in: Self.printed + Self.message(1029) + Self.message(4095))
        #expect(read.messages == [Self.printed])
        #expect(read.skipped == 2 * Self.message(1029).count, "they count as something other than corrections")
    }

    @Test(
        arguments: ["$PMTK104*37\r\n", "$PUBX,40,GGA,0*5A\r\n", "xx$PSRF101,0,0,0,000,0,0,12,8*1C\r\n"],
        [1005, 1077, 1230, 4072, 7])
    func `a command in the content does not pass, whatever the number`(command: String, number: Int) {
        let bytes = Self.message(number, Array(command.utf8)) + Self.message(1005, [0x24, 0x50, 0x41, 0x41, 0x30])
        #expect(Self.messages(in: bytes).messages == [Self.message(1005, [0x24, 0x50, 0x41, 0x41, 0x30])])
    }

    @Test(
        arguments: [
            // Beginnings of long messages, as many as there can be; those of the longest; and those of short ones.
            [0xD3, 0x03, 0xD3], [0xD3, 0x03, 0xFF], [0xD3, 0x00, 0x02], [0xD3, 0x00, 0xD3],
        ] as [[UInt8]])
    func `beginnings of messages that are none cost a few steps for each byte`(beginning: [UInt8]) {
        var reader = RTCMReader()
        let count = 30_000
        for _ in 0..<count / 100 {
            reader.feed((0..<100).flatMap { _ in beginning }) { _ in Issue.record("a message passed") }
        }
        #expect(reader.skipped > count * 3 - 2 * RTCMReader.longest)
        #expect(reader.summed < 4 * (count * 3 + 2 * RTCMReader.longest))
        // The reader is as it was before.
        var messages: [[UInt8]] = []
        reader.feed([UInt8](repeating: 0, count: RTCMReader.longest)) { messages.append($0) }
        reader.feed(Self.printed) { messages.append($0) }
        #expect(messages == [Self.printed] && reader.skipped == 0)
    }
}
