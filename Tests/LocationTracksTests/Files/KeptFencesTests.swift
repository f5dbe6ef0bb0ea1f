import Foundation
import LocationCore
import TestSupport
import Testing

@testable import LocationTracks

/// The fences of a file of the state.
@Suite struct KeptFencesTests {
    private static let path = "fences"
    private static let center = Coordinate(latitude: 45.0703, longitude: 7.6869)
    private static let header = #"{"schema":"locwatch-state/1","metres":0}"# + "\n"

    private func fence(_ name: String = "home", radius: Double = 150) throws -> Fence {
        try Fence(name: name, shape: .circle(center: Self.center, radius: radius))
    }

    private func record(
        _ fence: Fence, device: String? = nil, _ state: FenceRecord.State = .satisfied,
        _ kind: FenceEvent.Kind = .enter,
        after seconds: Double = 0, place: Coordinate? = nil
    ) -> FenceRecord {
        let event = FenceRecord.Event(
            kind: kind, time: SampleTrack.start.advanced(by: .seconds(seconds)), coordinate: Self.center)
        return FenceRecord(fence, device: device, state: state, lastEvent: event, place: place)
    }

    /// Returns a disk with the bytes of a file, as a program finds it that starts again.
    private func restarted(_ bytes: [UInt8]?) -> SimulatedDisk {
        let disk = SimulatedDisk()
        if let bytes { disk.put(bytes, at: Self.path) }
        return disk
    }

    @Test func `the records of a file are those that were written last`() throws {
        var office = try fence("office \"B\"\n{")
        office.margin = 5
        let anchor = try Fence(name: "anchor", shape: .anchor(radius: 40))
        let fences = [try fence(), office, anchor, try fence("new", radius: 0.1)]
        let new = FenceRecord(fences[3], device: nil, state: .unknown, lastEvent: nil, place: nil)
        let records = [
            record(fences[0]), record(office, .unsatisfied, .exit),
            record(anchor, .satisfied, .dwell, place: Self.center),
            new,
        ]
        let scratch = try Scratch()
        let path = scratch.path("f")
        try KeptStateFile(path).write(KeptState())
        try KeptStateFile(path).write(KeptState(fences: records))
        #expect(try KeptStateFile(path).records(of: fences, namesDevices: false) == records)
        #expect(scratch.names == ["f"])
        let lines = try scratch.text("f").split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 6 && lines[0] + "\n" == Self.header && lines[5] == "")
        let place = #""lat":45.0703,"lon":7.6869"#
        #expect(
            lines[1].hasPrefix(#"{"fence":"home","state":"inside",\#(place),"radius":150,"last":{"event":"enter","#))
        #expect(lines[3].hasPrefix(#"{"fence":"anchor","state":"inside","anchor":true,\#(place),"radius":40,"#))
        #expect(lines[4] == #"{"fence":"new","state":"unknown",\#(place),"radius":0.1}"#)
    }

    @Test func `each device of a fleet has a record, which is none of a machine alone`() throws {
        let home = try fence()
        let records = ["a", "b", ""].map { record(home, device: $0) }
        let disk = SimulatedDisk()
        try KeptStateFile(Self.path, in: disk).write(KeptState(fences: records))
        let file = try KeptStateFile(Self.path, in: restarted(disk.contents(Self.path)))
        #expect(file.records(of: [home], namesDevices: true) == records)
        #expect(file.records(of: [home], namesDevices: false).map(\.state) == [.unknown])
    }

    @Test func `a fence with another place or radius is a new one, and other rules change nothing`() throws {
        let disk = SimulatedDisk()
        try KeptStateFile(Self.path, in: disk).write(KeptState(fences: [record(try fence())]))
        let file = try KeptStateFile(Self.path, in: restarted(disk.contents(Self.path)))
        func state(_ fence: Fence) -> FenceRecord.State? { file.records(of: [fence], namesDevices: false).first?.state }
        var home = try fence()
        (home.dwellAfter, home.margin) = (.seconds(60), 3)
        #expect(state(home) == .satisfied)
        #expect(file.records(of: [home], namesDevices: false).first?.fence == home)
        #expect(state(try fence(radius: 151)) == .unknown)
        #expect(state(try fence("Home")) == .unknown)
        #expect(state(try Fence(name: "home", shape: .anchor(radius: 150))) == .unknown)
        let moved = Coordinate(latitude: 45.0703, longitude: 7.687)
        #expect(state(try Fence(name: "home", shape: .circle(center: moved, radius: 150))) == .unknown)
    }

    @Test func `a power cut at any byte leaves one of the last two states`() throws {
        let disk = SimulatedDisk()
        let home = try fence()
        let file = try KeptStateFile(Self.path, in: disk)
        for number in 1...10 {
            try file.write(KeptState(fences: [record(home, after: Double(number))]))
            disk.acknowledge(number)
        }
        var content = DiskContent()
        var cuts = 0
        for step in disk.steps {
            var left = [content] + content.reordered
            if case .write(_, let bytes, _) = step { left += bytes.indices.map { content.torn(step, after: $0) } }
            for disk in left {
                let found = try KeptStateFile(Self.path, in: restarted(disk.bytes(Self.path)))
                let time = found.records(of: [home], namesDevices: false).first?.lastEvent?.time
                let number =
                    time.map { Double($0.nanosecondsSince1970 - SampleTrack.start.nanosecondsSince1970) / 1e9 } ?? 0
                let known = Double(disk.acknowledged)
                #expect(number == known || number == known + 1, "\(number) after \(known)")
                cuts += 1
            }
            content.apply(step)
        }
        #expect(cuts > 1000 && disk.names == [Self.path])
    }

    @Test(arguments: [
        "x", "\n", "{}", "null", "\u{0}", "<gpx/>", #"{"schema":"locwatch-state/2"}"#,
        #"{"schema":"locwatch-state/1""#,
        String(repeating: "[", count: 100_000), "\n" + header,
    ])
    func `another file is refused, and stays as it is`(_ text: String) throws {
        let scratch = try Scratch()
        let path = try scratch.write(text, to: "f").path
        let error = TrackFileError.foreign(path: path, cause: "it has no state that this locwatch can read")
        #expect(throws: error) { try KeptStateFile(path) }
        #expect(try scratch.text("f") == text && scratch.names == ["f"])
    }

    @Test func `a line that is torn or unknown is refused by its number, and the file stays as it is`() throws {
        let whole = #"{"fence":"home","state":"inside","lat":45,"lon":7,"radius":9}"#
        let last = #""last":{"event":"enter","time":"2026-11-20T14:02:31.000Z","lat":45,"lon":7}"#
        var lines = whole.indices.dropFirst().map { String(whole[..<$0]) }
        lines += ["", " ", "[]", whole + whole, whole.replacing("inside", with: "satisfied")]
        lines += ["lat", "lon", "radius", "fence", "state"].map { whole.replacing("\"\($0)\"", with: "\"x\"") }
        lines += ["-1", "0", "1e999", "\"9\"", "null"].map { whole.replacing(":9}", with: ":\($0)}") }
        lines += ["90.1", "\"45\"", "1e999"].map { whole.replacing(":45,", with: ":\($0),") }
        lines += [#""device":5"#, #""anchor":1"#, #""last":[]"#, #""color":"red""#, #""last":{}"#]
            .map { whole.replacing("}", with: ",\($0)}") }
        lines += [("enter", "entered"), ("2026-", "never"), (#","lat":45,"lon":7}"#, "}")]
            .map { whole.replacing("}", with: ",\(last.replacing($0, with: $1))}") }
        let scratch = try Scratch()
        for line in lines {
            let text = "\(Self.header)\(whole)\n\(line)\n"
            let path = try scratch.write(text, to: "f").path
            let error = TrackFileError.foreign(path: path, cause: "its line 3 is not the state of a fence")
            #expect(throws: error, "\(line)") { try KeptStateFile(path) }
            #expect(try scratch.text("f") == text)
        }
        // The lines from which these were made are good.
        let good = whole.replacing("}", with: ",\(last)}")
        for text in ["\(Self.header)\(whole)", "\(Self.header)\(good)\r\n\(whole)\n"] {
            _ = try KeptStateFile(scratch.write(text, to: "f").path)
        }
    }

    @Test func `a file that would be too large keeps the records with the newest events`() throws {
        let home = try fence()
        let disk = SimulatedDisk()
        let file = try KeptStateFile(Self.path, in: disk, limit: 2000)
        let records = (0..<100).map { record(home, device: "boat \($0)", after: Double($0 * 37 % 100)) }
        try file.write(KeptState(fences: records))
        let bytes = try #require(disk.contents(Self.path))
        #expect(1700...2000 ~= bytes.count)
        let again = try KeptStateFile(Self.path, in: restarted(bytes), limit: 2000)
        let kept = again.records(of: [home], namesDevices: true)
        // Those with the newest events, in their order.
        let times = kept.compactMap { $0.lastEvent?.time }
        let oldest = try #require(times.min())
        #expect(kept == records.filter { ($0.lastEvent?.time ?? oldest) >= oldest } && kept.count > 5)
    }

    @Test func `a file that is too large is refused`() throws {
        let (home, disk) = (try fence(), SimulatedDisk())
        try KeptStateFile(Self.path, in: disk).write(
            KeptState(fences: (0..<20).map { record(home, device: "boat \($0)") }))
        let bytes = try #require(disk.contents(Self.path))
        let error = TrackFileError.foreign(path: Self.path, cause: "it has more than 1000 bytes")
        #expect(bytes.count > 1000)
        #expect(throws: error) { try KeptStateFile(Self.path, in: self.restarted(bytes), limit: 1000) }
    }

    @Test func `a huge file is refused without being read as a whole`() throws {
        let scratch = try Scratch()
        let path = try scratch.write(Self.header, to: "f").path
        // A file of 8 GB that has no blocks.
        #expect(truncate(path, 1 << 33) == 0)
        let error = TrackFileError.foreign(path: path, cause: "it has more than 16777216 bytes")
        #expect(throws: error) { try KeptStateFile(path) }
        unlink(path)
    }

    @Test func `the fences of release 0.5 are taken over, and the file becomes one of this format`() throws {
        let scratch = try Scratch()
        let line = #"{"fence":"home","state":"inside","lat":45.0703,"lon":7.6869,"radius":150}"#
        let path = try scratch.write(#"{"schema":"locwatch-fences/1"}"# + "\n\(line)\n", to: "f").path
        let file = try KeptStateFile(path)
        #expect(file.records(of: [try fence()], namesDevices: false).map(\.state) == [.satisfied])
        #expect(try scratch.text("f") == "\(Self.header)\(line)\n")
    }

    @Test func `opening a file changes nothing in it, and of two programs one has it`() throws {
        let scratch = try Scratch()
        let text = Self.header + #" {"radius":9, "fence":"home","lat":45,"lon":7,"state":"outside"} "#
        let path = try scratch.write(text, to: "f").path
        let first = try KeptStateFile(path)
        #expect(try scratch.text("f") == text && scratch.names == ["f"])
        #expect(throws: TrackFileError.inUse(path: path)) { try KeptStateFile(path) }
        try first.write(KeptState())
        #expect(throws: TrackFileError.inUse(path: path)) { try KeptStateFile(path) }
        #expect(try scratch.text("f") == Self.header)
    }
}
