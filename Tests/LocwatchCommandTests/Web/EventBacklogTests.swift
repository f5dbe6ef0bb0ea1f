import Testing

@testable import LocwatchCommand

@Suite struct EventBacklogTests {
    /// Returns everything that a reader gets at once.
    private static func read(_ reader: inout EventReader, _ backlog: EventBacklog) -> String {
        var bytes: [UInt8] = []
        while true {
            let piece = reader.next(backlog) { TextPieces(Array("snapshot \($0);".utf8)) }
            guard !piece.isEmpty else { break }
            bytes += piece
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func backlog(_ events: Int, size: Int = 1) -> EventBacklog {
        var backlog = EventBacklog(session: "s")
        for event in 0..<events { backlog.append("\(event)\(String(repeating: "x", count: size - 1))".utf8) }
        return backlog
    }

    @Test func `a new reader gets a snapshot and then each event once`() {
        var backlog = Self.backlog(3)
        var reader = EventReader(after: nil, in: backlog)
        #expect(Self.read(&reader, backlog) == "snapshot 0;")
        #expect(Self.read(&reader, backlog).isEmpty)
        backlog.append("3".utf8)
        backlog.append("4".utf8)
        #expect(Self.read(&reader, backlog) == "id: s-4\ndata: 3\n\nid: s-5\ndata: 4\n\n")
        #expect(Self.read(&reader, backlog).isEmpty)
    }

    @Test func `a reader continues after the last event that it has received`() {
        let backlog = Self.backlog(3)
        var reader = EventReader(after: "s-1", in: backlog)
        #expect(Self.read(&reader, backlog) == "id: s-2\ndata: 1\n\nid: s-3\ndata: 2\n\n")
    }

    @Test(arguments: ["", "s-", "s-4", "s-99999999999999999999", "t-1", "s--1", "s-1 ", "1"])
    func `an event that is not known leads to a snapshot`(name: String) {
        let backlog = Self.backlog(3)
        var reader = EventReader(after: name, in: backlog)
        #expect(Self.read(&reader, backlog) == "snapshot 0;")
    }

    @Test func `a slow reader learns how many events it has missed, and memory is limited`() {
        let few = Self.backlog(1)
        var reader = EventReader(after: nil, in: few)
        #expect(Self.read(&reader, few) == "snapshot 0;")
        let many = Self.backlog(20_000, size: 1000)
        #expect(many.newest == 20_000)
        let kept = (many.first...many.newest).reduce(0) { $0 + (many[$1]?.count ?? 0) }
        #expect(kept <= EventBacklog.byteLimit && kept > EventBacklog.byteLimit / 2)
        #expect(many[many.first - 1] == nil)
        #expect(Self.read(&reader, many) == "snapshot \(many.first - 2);")
        #expect(Self.read(&reader, many).isEmpty)
    }

    @Test func `a single event beyond the limit is still sent`() {
        let backlog = Self.backlog(2, size: EventBacklog.byteLimit + 1)
        #expect(backlog.first == 2 && backlog[2] != nil)
    }

    /// Returns everything that a client gets at once, in parts of a size.
    private static func read(_ reader: inout PieceReader, by size: Int, most: Int = .max) -> String {
        var bytes: [UInt8] = []
        while bytes.count < most {
            let part = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in count = reader.read(into: buffer) }
            guard !part.isEmpty else { break }
            bytes += part
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: [1, 7, 4096]) func `a client gets a text in parts of any size, and one piece is kept`(size: Int) {
        var pieces = ["one", "two, longer", "three"].map { Array($0.utf8) }
        var reader = PieceReader(TextPieces { _ in pieces.isEmpty ? [] : pieces.removeFirst() })
        #expect(reader.size == 0)
        #expect(Self.read(&reader, by: 2, most: 2) == "on" && reader.size == 3)
        #expect(Self.read(&reader, by: size) == "etwo, longerthree" && reader.size == 0)
        pieces = [Array("more".utf8)]
        #expect(Self.read(&reader, by: size) == "more")
    }

    @Test func `a comment keeps the connection alive, but not within an event`() {
        let backlog = Self.backlog(1)
        var events = EventReader(after: "s-0", in: backlog)
        var reader = PieceReader(TextPieces { _ in events.next(backlog) { _ in TextPieces([]) } })
        #expect(Self.read(&reader, by: 4, most: 4) == "id: ")
        reader.keepAlive()
        #expect(Self.read(&reader, by: 7) == "s-1\ndata: 0\n\n")
        reader.keepAlive()
        #expect(Self.read(&reader, by: 7) == ":\n\n")
    }
}
