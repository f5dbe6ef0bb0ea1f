import TestSupport
import Testing

@testable import LocwatchCommand

@Suite(.serialized, .alone) struct EventBacklogTests {
    /// Returns the text from a place, in parts of a size.
    private static func text(_ backlog: EventBacklog, from place: UInt64, by size: Int = 4096) -> String? {
        var (place, bytes) = (place, [UInt8]())
        while true {
            var copied: Int?
            bytes += [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
                copied = backlog.copy(from: place, into: buffer)
                count = copied ?? 0
            }
            guard let copied else { return nil }
            if copied == 0 { return String(decoding: bytes, as: UTF8.self) }
            place += UInt64(copied)
        }
    }

    private static func backlog(_ events: Int, size: Int = 1) -> EventBacklog {
        var backlog = EventBacklog(session: "s")
        for event in 0..<events { backlog.append("\(event)\(String(repeating: "x", count: size - 1))".utf8) }
        return backlog
    }

    @Test(arguments: [1, 7, 4096]) func `a reader gets each event once, in parts of any size`(size: Int) throws {
        var backlog = Self.backlog(3)
        let place = backlog.end
        #expect(Self.text(backlog, from: place, by: size) == "")
        backlog.append("3".utf8)
        let third = backlog.newest
        backlog.appendComment()
        backlog.append("4".utf8)
        let expected = "id: \(third)\ndata: 3\n\n:\n\nid: \(backlog.newest)\ndata: 4\n\n"
        #expect(Self.text(backlog, from: place, by: size) == expected)
    }

    @Test func `a reader continues after the last event that it has received`() throws {
        var backlog = Self.backlog(3)
        let name = backlog.newest
        backlog.append("news".utf8)
        let place = try #require(backlog.place(after: name))
        #expect(Self.text(backlog, from: place) == "id: \(backlog.newest)\ndata: news\n\n")
    }

    @Test(arguments: ["", "s-", "s-7777", "s-99999999999999999999", "t-1", "s--1", "s-1 ", "1", "s-x"])
    func `no reader continues after an event that is not known`(name: String) {
        #expect(Self.backlog(3).place(after: name) == nil)
    }

    @Test func `the memory is limited, and a place that is no longer there is known`() throws {
        var backlog = Self.backlog(1)
        let (place, name) = (backlog.end, backlog.newest)
        var places: [UInt64] = []
        for number in 0..<20_000 {
            places.append(backlog.end)
            backlog.append("\(number)\(String(repeating: "x", count: 100))".utf8)
        }
        #expect(Self.text(backlog, from: place) == nil)
        #expect(backlog.place(after: name) == nil)
        let kept = try #require(places.first { backlog.end - $0 <= EventBacklog.limit })
        let text = try #require(Self.text(backlog, from: kept, by: 1000))
        #expect(text.utf8.count > EventBacklog.limit - 200)
        let numbers = text.split(separator: "\n").filter { $0.hasPrefix("data: ") }
            .map { Int($0.dropFirst(6).prefix { $0 != "x" }) }
        #expect(numbers.last == 19_999 && numbers == (20_000 - numbers.count..<20_000).map { $0 })
    }
}
