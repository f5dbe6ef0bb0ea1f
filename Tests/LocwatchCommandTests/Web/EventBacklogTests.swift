import Testing

@testable import LocwatchWeb

@Suite struct EventBacklogTests {
    /// Returns everything that a reader gets at once.
    private static func read(_ reader: inout EventReader, _ backlog: EventBacklog, by size: Int = 7) -> String {
        var bytes: [UInt8] = []
        var missed: [UInt64] = []
        while true {
            let part = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
                count = reader.read(into: buffer, from: backlog) {
                    missed.append($0)
                    return TextPieces(Array("snapshot \($0);".utf8))
                }
            }
            guard !part.isEmpty else { break }
            bytes += part
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
        #expect(Self.read(&reader, many, by: 4096) == "snapshot \(many.first - 2);")
        #expect(Self.read(&reader, many).isEmpty)
    }

    @Test func `a single event beyond the limit is still sent`() {
        let backlog = Self.backlog(2, size: EventBacklog.byteLimit + 1)
        #expect(backlog.first == 2 && backlog[2] != nil)
    }

    @Test func `a comment keeps the connection alive, but not within an event`() {
        let backlog = Self.backlog(1)
        var reader = EventReader(after: "s-0", in: backlog)
        let first = [UInt8](unsafeUninitializedCapacity: 4) { buffer, count in
            count = reader.read(into: buffer, from: backlog) { _ in TextPieces([]) }
        }
        #expect(first == Array("id: ".utf8))
        reader.keepAlive()
        #expect(Self.read(&reader, backlog) == "s-1\ndata: 0\n\n")
        reader.keepAlive()
        #expect(Self.read(&reader, backlog) == ":\n\n")
    }
}
