import LocationCore
import Testing

@testable import GPSDProtocol

@Suite struct InputFormatTests {
    private func format(_ text: String, isAtEnd: Bool = true) -> InputFormat? {
        InputFormat.of(Array(text.utf8), isAtEnd: isAtEnd, isLive: true)
    }

    @Test(arguments: [
        #"{"class":"VERSION"}"#, "\n  {\"class\":1}", "{", "", " \r\n\t", "1700000000.5: {\"class\":\"TPV\"}\n",
        "Tue Nov 14 22:13:20 2023: {\"class\":\"TPV\"}\n", "at\":1}\n{\"device\":\"a\",\"class\":\"TPV\"}\n",
        "{\"class\":\"VERSION\"}\n{\"class\":\"DEVICES\"}\n{\"class\":\"WATCH\"}\n",
        "{\"type\":\"FeatureCollection\"}\n",
        "{\"class\":\"TPV\"}\nµb RE0 @@ $GPRS, a note\n",
    ])
    func `JSON of gpsd is recognized, with stamps and after a torn line`(text: String) {
        #expect(format(text) == .session)
    }

    private static let greeting = ["VERSION", "DEVICES", "WATCH", "DEVICE"].map { "{\"class\":\"\($0)\"}\r\n" }.joined()

    @Test(arguments: [
        ("$GPGGA,1,2*00\r\n", true), ("!AIVDM,1,1,,A,x,0*00\r\n", true), ("# log\n12:00 $GNRMC,1*00\n", true),
        ("Dear diary\n", false), ("price: $GPRS\n", false), ("a { b }\n", false), ("$,\n", false),
        // JSON of gpspipe, or in a comment.
        (greeting + "$GPGGA,1,2*00\r\n", true), (greeting + "12:00:01: $GPGGA,1,2*00\r\n", true),
        ("$GPGGA,1,2*00\r\n{\"class\":\"VERSION\"}\n", true), (greeting + "\u{1}\u{2}\u{3}\r\n", false),
        ("{\"class\":\"TPV\"}\n$GPGGA,1,2*00\r\n", true), ("# {\"class\":\"TPV\"}\n$GPGGA,1,2*00\r\n", true),
        ("# as in: {\"class\":\"TPV\"}\nno report\n", false),
    ])
    func `other text is a log, also if gpspipe or a comment has JSON in it`(text: String, isFamiliar: Bool) {
        #expect(format(text) == .log(isFamiliar: isFamiliar))
    }

    @Test func `a binary format that no message begins is not guessed from two bytes within it`() {
        let trimble: [UInt8] = [0x10, 0x8F, 0xAB, 0x40, 0x40, 0x10, 0x03]
        #expect(InputFormat.description(of: trimble) == "it begins with the bytes 10 8f ab 40 40 10 03")
        #expect(InputFormat.description(of: [0xB5, 0x62, 1, 7]) == "it looks like UBX messages")
        #expect(InputFormat.description(of: Array("@@Ea".utf8)) == "it looks like Motorola Oncore messages")
    }

    @Test func `a FIT file is one, and gpsbabel is named that reads it`() {
        let header: [UInt8] = [14, 0x10, 0x54, 8, 0xF4, 1, 0, 0] + Array(".FIT".utf8) + [0x12, 0x34, 0x40, 0]
        guard case .unrelated(let kind) = InputFormat.of(header, isAtEnd: true) else {
            Issue.record("it is not recognized")
            return
        }
        #expect(kind.hasPrefix("a FIT file: ") && kind.contains("gpsbabel -i garmin_fit -f FILE -o gpx -F FILE.gpx"))
    }

    @Test func `binary messages after the greeting of gpsd are a log`() {
        let bytes = Array(Self.greeting.utf8) + [0xB5, 0x62, 1, 7, 0, 0, 8, 25]
        #expect(InputFormat.of(bytes, isAtEnd: false) == nil)
        #expect(InputFormat.of(bytes, isAtEnd: true) == .log(isFamiliar: true))
        #expect(InputFormat.of(bytes, isAtEnd: false, isLive: true) == .log(isFamiliar: true))
    }

    @Test func `a file is decided by its first 64 KiB, and a live input by its first line that tells anything`() {
        #expect(format(Self.greeting, isAtEnd: false) == nil)
        let report = "{\"class\":\"TPV\"}\n"
        #expect(format(Self.greeting + report, isAtEnd: false) == .session)
        #expect(InputFormat.of(Array((Self.greeting + report).utf8), isAtEnd: false) == nil)
        let beginning = String(repeating: report, count: InputFormat.beginning / report.utf8.count + 1)
        #expect(InputFormat.of(Array(beginning.utf8), isAtEnd: false) == .session)
        let mixed = beginning.dropLast(40) + "\n$GPGGA,1,2*00\r\n" + report + report
        #expect(InputFormat.of(Array(mixed.utf8), isAtEnd: false) == .log(isFamiliar: true))
    }

    @Test(
        arguments: [
            ([0xB5, 0x62, 1, 7], true), ([0xA0, 0xA2, 0, 1], true), ([0x00, 0xD3, 0x00, 0x13], true),
            ([0, 1, 2, 3], false),
            ([0x1F], false), ([0xFD, 0x37], false),
        ] as [([UInt8], Bool)])
    func `other bytes are a log`(bytes: [UInt8], isFamiliar: Bool) {
        #expect(InputFormat.of(bytes, isAtEnd: true) == .log(isFamiliar: isFamiliar))
    }

    @Test(
        arguments: [
            ([0x1F, 0x8B, 8], DecodingProgram.gzip), ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], .xz),
            ([0x28, 0xB5, 0x2F, 0xFD], .zstd),
        ] as [([UInt8], DecodingProgram)])
    func `compressed files are recognized by their first bytes`(bytes: [UInt8], program: DecodingProgram) {
        #expect(InputFormat.of(bytes, isAtEnd: false) == .compressed(program))
        for count in 1..<program.magic.count {
            #expect(InputFormat.of(Array(bytes.prefix(count)), isAtEnd: false) == nil)
        }
    }

    @Test(arguments: [
        ("%PDF-1.4\n", "a PDF document"), ("<?xml version=\"1.0\"?>\n", "an XML file"),
        ("\u{FEFF}<gpx>\n", "a GPX file"),
        ("GIF89a............", "a GIF picture"), ("RIFF....WAVEfmt ", "a sound"),
        (String(repeating: "\0", count: 257) + "ustar\n", "a tar archive"),
    ])
    func `files of other kinds are named`(text: String, kind: String) {
        #expect(format(text) == .unrelated(kind))
        #expect(InputFormat.description(of: Array(text.utf8)) == "it looks like \(kind)")
    }

    @Test(
        arguments: [
            ([0x89] + Array("PNG".utf8), "a PNG picture"), ([0xFF, 0xD8, 0xFF], "a JPEG picture"),
            ([0x49, 0x49, 0x2A, 0], "a TIFF picture"), ([0x4D, 0x4D, 0, 0x2A], "a TIFF picture"),
            ([0, 0, 0, 24] + Array("ftypisom".utf8), "a video or a picture"), ([0x1A, 0x45, 0xDF, 0xA3], "a video"),
            (Array("7z".utf8) + [0xBC, 0xAF], "a 7-Zip archive"), ([0x7F] + Array("ELF".utf8), "a program"),
            ([0x0A, 0x0D, 0x0D, 0x0A], "a capture of network packets"),
            ([0xD4, 0xC3, 0xB2, 0xA1], "a capture of network packets"),
        ] as [([UInt8], String)])
    func `files of other kinds are known by bytes that are no text, at their place only`(bytes: [UInt8], kind: String) {
        let rest = [UInt8](repeating: 1, count: 40)
        #expect(InputFormat.of(bytes + rest, isAtEnd: true) == .unrelated(kind))
        #expect(InputFormat.of([1] + bytes + rest, isAtEnd: true) != .unrelated(kind))
    }

    @Test func `an input that may still become JSON is waited for, and not for ever`() {
        #expect(format("", isAtEnd: false) == nil)
        #expect(format("\n", isAtEnd: false) == nil)
        #expect(format("Tue Nov 14 22:13:20", isAtEnd: false) == nil)
        #expect(format("$GPGG", isAtEnd: false) == nil)
        #expect(format(String(repeating: "a", count: 4096), isAtEnd: false) == .log(isFamiliar: false))
        #expect(format(String(repeating: " ", count: 4096), isAtEnd: false) == .session)
        #expect(
            InputFormat.of([0xB5, 0x62] + [UInt8](repeating: 0, count: 20), isAtEnd: false, isLive: true)
                == .log(isFamiliar: true))
    }

    @Test func `no bytes make the recognition trap`() {
        var generator = SplitMix64(seed: 5)
        for count in 0..<150 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            _ = InputFormat.of(bytes, isAtEnd: count.isMultiple(of: 2))
            #expect(InputFormat.description(of: bytes).utf8.count < 200)
        }
        for program in DecodingProgram.decompressors {
            for count in 0...program.magic.count {
                _ = InputFormat.of(Array(program.magic.prefix(count)), isAtEnd: true)
            }
        }
    }

    @Test(arguments: [
        ("Dear diary\nno", "it begins with the text \"Dear diary\""),
        (String(repeating: "x", count: 90), "it begins with the text \"\(String(repeating: "x", count: 40))\""),
        ("\u{7}\u{8}", "it begins with the bytes 07 08"), ("", "it begins with the bytes "),
    ])
    func `the first bytes are described`(text: String, sentence: String) {
        #expect(InputFormat.description(of: Array(text.utf8)) == sentence)
    }
}
