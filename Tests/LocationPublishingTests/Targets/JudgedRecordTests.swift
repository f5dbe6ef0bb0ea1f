import LocationCore
import LocationTesting
import Testing

@testable import LocationPublishing

/// The judgement of a receiver in what is published.
@Suite struct JudgedRecordTests {
    private static let place = Coordinate(latitude: 45.07, longitude: 7.68)

    private func location(_ device: String, _ second: Int, _ metres: Double = 0) -> LocationUpdate {
        let moment = Moment(
            elapsed: .seconds(second), wall: Timestamp(secondsSince1970: 1_800_000_000 + Double(second)))
        return LocationUpdate(
            .location(
                Location(
                    coordinate: Self.place.destination(distance: metres, bearing: 0), timestamp: moment.wall,
                    device: device, horizontalAccuracy: 4, speed: 0)), at: moment)
    }

    /// Returns a record of each position that is current, as `publish` makes them.
    private func records(_ updates: [LocationUpdate]) -> [PublishRecord] {
        var tracker = Tracker()
        var records: [PublishRecord] = []
        for update in updates {
            tracker.apply(update)
            while let result = tracker.next() {
                guard case .update(let event, .current) = result, let location = event.location else { continue }
                var record = PublishRecord(.moved, created: event.moment.wall, location: location)
                record.note(tracker.view, nil, needsSky: false)
                records.append(record)
            }
        }
        return records
    }

    @Test func `a record has the distance of its session, which the queue on the disk keeps`() throws {
        var tracker = Tracker()
        tracker.apply(location("a", 0))
        while tracker.next() != nil {}
        tracker.note(distance: 1234.5678)
        let position = try #require(tracker.view.location)
        var record = PublishRecord(.moved, created: .now, location: position)
        #expect(record.distance == nil)
        record.note(tracker.view, nil, needsSky: false)
        #expect(record.distance == 1234.6)
        #expect(record.json.withUnsafeBytes { PublishRecord(json: $0) }?.distance == 1234.6)
        #expect(String(decoding: RecordJSON.encode(record), as: UTF8.self).contains(#","distance":1234.6,"#))
        #expect(try PublishTemplate("http://x/%{distance:.0}").urlEncoded(record) == "http://x/1235")
    }

    @Test func `a record has the judgement of its receiver, and the stillness`() throws {
        let updates = (0...70).map { location("a", $0) } + (71...80).map { location("a", $0, 5000) }
        let records = records(updates)
        #expect(records.map(\.isStationary).firstIndex(of: true) == 60)
        #expect(records[70].verdict == .nominal && records[70].isStationary)
        #expect(records[71].verdict == .alarm && !records[71].isStationary)
        let json = records.map { String(decoding: RecordJSON.encode($0), as: UTF8.self) }
        #expect(json[70].contains(#","stationary":true,"#) && !json[70].contains("integrity"))
        #expect(json[71].contains(#","integrity":"alarm","#) && !json[71].contains("stationary"))
        let template = try PublishTemplate("http://x/?i=%{integrity}&s=%{stationary}")
        #expect(template.urlEncoded(records[70]) == "http://x/?i=&s=stationary")
        #expect(template.urlEncoded(records[71]) == "http://x/?i=alarm&s=")
    }

    @Test func `after a handover a record has the judgement of the new receiver`() {
        let updates =
            (0...30).flatMap { [location("a", $0), location("b", $0, 3)] }
            + (31...40).flatMap { [location("a", $0, 5000), location("b", $0, 3)] }
            + (41...60).map { location("b", $0, 3) }
        let records = records(updates)
        let (old, new) = (records.filter { $0.location?.device == "a" }, records.filter { $0.location?.device == "b" })
        #expect(old.last?.verdict == .alarm)
        #expect(!new.isEmpty && new.allSatisfy { $0.verdict == .nominal })
    }

    @Test func `targets have the judgement where it fits`() throws {
        var record = Samples.record()
        record.verdict = .suspect
        record.isStationary = true
        let message = try #require(
            HomeAssistantTarget(name: "pi", version: "1").messages(for: record, isOld: false).first)
        #expect(String(decoding: message.payload, as: UTF8.self).contains(#""integrity":"suspect","stationary":true"#))
        let traccar = HTTPTarget.traccar(try HTTPURL("http://example.org:5055"), id: "7")
        #expect(traccar.request(for: [record])?.url.query?.contains("&integrity=suspect") == true)
        #expect(traccar.request(for: [Samples.record()])?.url.query?.contains("integrity") == false)
        let overland = try HTTPTarget.overland(try HTTPURL("http://example.org/"), device: "7")
        let bodies = [record, Samples.record()].map {
            String(decoding: overland.request(for: [$0])?.body ?? [], as: UTF8.self)
        }
        #expect(bodies[0].contains(#""motion":["stationary"]"#) && !bodies[1].contains("motion"))
    }
}
