import LocationCore
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchCommand
@testable import LocwatchPrinting
@testable import LocwatchTerminal

@Suite struct TileTests {
    // MARK: Places

    @Test(arguments: [
        ("/tiles/0/0/0", 0, 0, 0, 0), ("/tiles/3/4/2", 3, 4, 2, 5), ("/tiles/17/131071/0", 17, 131_071, 0, 131_071),
        ("/tiles/30/1073741823/1073741823", 30, 1_073_741_823, 1_073_741_823, 0),
    ])
    func `a path names the place of a tile`(path: String, zoom: Int, column: Int, row: Int, fromSouth: Int) {
        let place = TilePlace(path: path)
        #expect(place?.zoom == zoom && place?.column == column && place?.row == row)
        #expect(place?.rowFromSouth == fromSouth)
    }

    @Test(arguments: [
        "/tiles/", "/tiles/3/4", "/tiles/3/4/2/", "/tiles/3/4/2/1", "/tiles/3/4/2.png", "/tiles/3/8/2", "/tiles/3/4/8",
        "/tiles/31/0/0", "/tiles/-1/0/0", "/tiles/3/-1/2", "/tiles/3/+4/2", "/tiles/03/4/2", "/tiles/3/04/2",
        "/tiles/3/4/ 2", "/tiles/3//2", "/tiles/3/4/%32", "/tiles/3/4/2?", "/tiles/3/4/0x2", "/tiles/3/4/٢",
        "//tiles/3/4/2", "/Tiles/3/4/2", "tiles/3/4/2", "/x/tiles/3/4/2", "/tiles/99999999999999999999/0/0",
        "/tiles/3/18446744073709551620/2", "/tiles/Z/X/Y", "/tiles/3/4/2\0",
    ])
    func `any other path is that of no tile`(path: String) {
        #expect(TilePlace(path: path) == nil)
    }

    // MARK: Pictures

    /// The beginnings of pictures of 512 by 256 pixels.
    private static let png: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 2, 0, 0, 0, 1, 0]
    private static let jpeg: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xE0, 0, 6, 1, 2, 3, 4, 0xFF, 0xDB, 0, 4, 9, 9]
        + [0xFF, 0xFF, 0xC2, 0, 17, 8, 1, 0, 2, 0, 3]
    private static func webp(_ kind: String, _ rest: [UInt8]) -> [UInt8] {
        let all = Array("RIFF".utf8) + [9, 9, 0, 0] + Array("WEBP\(kind)".utf8) + [9, 9, 0, 0] + rest
        return all + Array(repeating: 0, count: max(0, 30 - all.count))
    }
    private static let lossy = webp("VP8 ", [1, 2, 3, 0x9D, 0x01, 0x2A, 0, 2, 0, 0x41])
    // 511 in 14 bits, then 255 in 14 bits.
    private static let lossless = webp("VP8L", [0x2F, 0xFF, 0xC1, 0x3F, 0x00])
    private static let extended = webp("VP8X", [0x10, 0, 0, 0, 0xFF, 1, 0, 0xFF, 0, 0])

    @Test(arguments: [
        (png, "image/png"), (jpeg, "image/jpeg"), (lossy, "image/webp"), (lossless, "image/webp"),
        (extended, "image/webp"),
    ])
    func `a picture is recognized by its bytes, with its size`(bytes: [UInt8], mediaType: String) {
        let picture = TilePicture(bytes)
        #expect(picture?.mediaType == mediaType && picture?.width == 512 && picture?.height == 256, "\(picture as Any)")
        // A part of it is none, and is not read beyond its end.
        for count in 0..<min(24, bytes.count) { #expect(TilePicture(Array(bytes.prefix(count))) == nil, "\(count)") }
    }

    @Test func `bytes of anything else are no picture`() {
        for text in ["", "<svg/>", "<html>", "GIF89a", "RIFF", String(repeating: "RIFFWEBPVP8 ", count: 9)] {
            #expect(TilePicture(Array(text.utf8)) == nil, "\(text)")
        }
    }

    @Test func `a picture that would take gigabytes is refused`() {
        for (width, height) in [(0, 256), (256, 0), (1025, 256), (256, 65_536)] {
            func bytes(_ number: Int) -> [UInt8] {
                (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
            }
            #expect(TilePicture(Array(Self.png.prefix(16)) + bytes(width) + bytes(height)) == nil)
        }
        #expect(TilePicture(with(Self.extended) { $0[26] = 1 }) == nil)
    }

    @Test func `a JPEG without a size is refused`() {
        // A segment without a length ends nowhere, and the picture begins before its size.
        let segments = Array(repeating: [0xFF, 0xE0, 0, 0] as [UInt8], count: 99).flatMap(\.self)
        #expect(TilePicture([0xFF, 0xD8] + segments) == nil)
        #expect(TilePicture([0xFF, 0xD8, 0xFF, 0xDA] + Self.jpeg.dropFirst(2)) == nil)
    }

    // MARK: Facts for the page

    @Test(
        arguments: [
            ("© Anna", "© Anna"), ("<a href=\"https://h\" onclick='x()'>Anna</a> &amp; <b>Bert</b>", "Anna & Bert"),
            ("&copy;&nbsp;A &#169; &#xA9; &#XA9;", "© A © © ©"),
            ("&lt;script&gt;alert(1)&lt;/script&gt;", "<script>alert(1)</script>"),
            ("<img src=x onerror=alert(1)>", nil), ("A <!-- hidden --> B", "A B"), ("A <b", "A"),
            ("1 < 2 <3", "1 < 2 <3"),
            ("a\n\t b \r\n", "a b"), ("", nil), (" <br/> ", nil),
            ("&unknown; &#0; &#xD800; &#99999999; & ;", "&unknown; &#xD800; &#99999999; & ;"),
            ("a\u{202E}b\u{1B}[31m\u{200B}", "ab[31m"), ("&#x202E;a&#27;", "a"),
            (String(repeating: "&amp;", count: 500), String(repeating: "&", count: 200) + "…"),
            (String(repeating: "<a", count: 500_000), nil),
        ] as [(String, String?)])
    func `an attribution is shown as text without its tags`(html: String, text: String?) {
        #expect(AttributionText.of(html) == text)
    }

    @Test(arguments: [
        ("https://tile.openstreetmap.org/{z}/{x}/{y}.png", "© OpenStreetMap contributors"),
        ("https://openstreetmap.org/{z}/{x}/{y}.png", "© OpenStreetMap contributors"),
        ("https://notopenstreetmap.org/{z}/{x}/{y}.png", "Map: notopenstreetmap.org"),
        ("https://tile.example:8443/{z}/{x}/{y}.png", "Map: tile.example"),
    ])
    func `the page names the server of its tiles, or those who have made the map`(address: String, attribution: String)
        throws
    {
        let tiles = PageTiles(try #require(TileURL(address)))
        #expect(tiles.attribution == attribution && tiles.address == address && tiles.side == nil)
    }

    @Test func `the page gets the facts about a file of tiles, and none without one`() throws {
        let scratch = try Scratch()
        let facts = [TileFile.fact("bounds", "7,45,8.5,46"), TileFile.fact("attribution", "</script>\"<b>A")]
        try TileFile.write(TileFile.world + facts, to: scratch.path("t"))
        let archive = try TileArchive(scratch.path("t"))
        let text = TextBuffer.text { $0.putFacts(.standard, Settings(), PageTiles(archive)) }
        let tiles =
            #""tiles":{"address":"tiles/{z}/{x}/{y}?\#(archive.version)","minzoom":0,"maxzoom":0,"#
            + #""bounds":[7,45,8.5,46],"attribution":"\"A","side":256},"#
        #expect(text.contains(tiles), "\(text)")
        #expect(!TextBuffer.text { $0.putFacts(.standard, Settings()) }.contains("tiles"))
    }
}
