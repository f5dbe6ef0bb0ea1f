import Foundation
import LocationCore
import Testing

@testable import LocationPublishing

@Suite struct QueueLayoutTests {
    private static let segment = QueueSegment.name(1)

    private func fixture(_ layout: Int) throws -> [UInt8] {
        let folder = URL(filePath: #filePath).appending(path: "../../../../Fixtures/queues").standardizedFileURL
        return [UInt8](try Data(contentsOf: folder.appending(path: "layout-\(layout).log")))
    }

    private func records(_ layout: Int) throws -> [PublishRecord] {
        let queue = try PublishQueue(MemoryStorage(files: [Self.segment: try fixture(layout)]))
        let reader = try QueueReader(queue, name: "new", fromStart: true)
        return reader.records(from: 0, limit: .max, isOld: true).map(\.record)
    }

    @Test(arguments: 1...4) func `a queue that an earlier version has left is read whole`(layout: Int) throws {
        let records = try records(layout)
        #expect(records.count == (layout == 2 ? 9 : 10))
        let positions = records.filter { $0.occasion == .moved || $0.occasion == .found }.compactMap(\.location)
        let times = positions.map { $0.timestamp?.description }
        #expect(times.first == "2026-11-20T09:00:01.000Z" && times.last == "2026-11-20T09:00:15.000Z")
        #expect(positions.filter { $0.fix == .twoD }.count == 1)
        #expect(records.contains { $0.occasion == .lost })

        let full = try #require(positions.first)
        #expect(full.coordinate == Coordinate(latitude: 45.07, longitude: 7.68) && full.device == "/dev/ttyUSB0")
        #expect(full.quality == FixQuality(gpsdStatus: 3))
        #expect([full.altitudeHAE, full.altitudeMSL, full.geoidSeparation] == [312.1, 263.9, 48.2])
        #expect([full.horizontalAccuracy, full.longitudeAccuracy, full.latitudeAccuracy] == [5.4, 2.5, 3.5])
        #expect([full.verticalAccuracy, full.sphericalAccuracy, full.timeAccuracy] == [9.25, 10.5, 0.005])
        #expect([full.speed, full.course, full.climb, full.courseMagnetic] == [1.25, 142.3, -0.5, 139.2])
        #expect([full.speedAccuracy, full.courseAccuracy, full.climbAccuracy] == [0.75, 2, 1.5])
        #expect(full.magneticVariation == 3.1)
        let details = try #require(full.details)
        #expect(details.ecefPosition == Vector3(4_472_000.5, 603_100.25, 4_492_500.75))
        #expect(details.ecefVelocity == Vector3(0.1, -0.2, 0.3))
        #expect([details.ecefPositionAccuracy, details.ecefVelocityAccuracy] == [5.5, 0.25])
        #expect(details.velocityNED == Vector3(-0.99, 0.76, 0.5) && details.relativeNED == Vector3(120.5, -33.25, 1.75))
        #expect(
            [details.errorEllipseMajor, details.errorEllipseMinor, details.errorEllipseOrientation] == [4.5, 2.25, 45])
        #expect(
            [details.dgpsStation, details.leapSeconds, details.antennaStatus, details.jamming] == [123, 18, 1, 17])
        #expect(
            [details.dgpsAge, details.depth, details.temperature, details.waterTemperature] == [1.5, 12.5, 21.5, 14.25])
        let angles = [details.windAngleMagnetic, details.windAngleApparent, details.windAngleTrue]
        #expect(angles == [10.5, 20.5, 30.5] && details.datum == "WGS84")
        #expect([details.windSpeedApparent, details.windSpeedTrue] == [4.5, 5.5])

        let later = try #require(positions.last)
        #expect(later.altitudeMSL == 270.9 && later.speed == 8.25 && later.climb == nil && later.details == nil)
    }

    @Test func `the layout that this version writes has its file, so that the next one is tested with it`() throws {
        let layout = PublishRecord(.moved, created: Timestamp(nanosecondsSince1970: 0), location: nil).bytes[0]
        #expect(try fixture(Int(layout))[QueueSegment.headerSize] == layout)
    }

    @Test(arguments: [false, true])
    func `a queue of an unknown layout is an error and is kept, whatever number it has`(hasKnownNumber: Bool) throws {
        let time = Timestamp(secondsSince1970: 1_700_000_000)
        let known = PublishRecord(.moved, created: time, location: nil).bytes
        // Another version may insert a value and forget the number.
        let unknown = hasKnownNumber ? known.prefix(5) + [0] + known.dropFirst(5) : [200] + known.dropFirst()
        let frames = QueueSegment.frame(known, number: 1) + QueueSegment.frame(Array(unknown), number: 2)
        let storage = MemoryStorage(files: [Self.segment: frames])
        #expect(throws: QueueError(.unknownLayout(segment: Self.segment))) { try PublishQueue(storage) }
        #expect(storage.files == [Self.segment: frames])
        // The last segment can be of this version although an earlier one is not.
        let first = QueueSegment.frame(Array(unknown), number: 1)
        let both = MemoryStorage(
            files: [Self.segment: first, QueueSegment.name(2): QueueSegment.frame(known, number: 2)])
        #expect(throws: QueueError(.unknownLayout(segment: Self.segment))) { try PublishQueue(both) }
        #expect(both.files[Self.segment] == first)
    }

    @Test func `a delivery stops at a record of an unknown layout that is found later, and says so`() throws {
        let time = Timestamp(secondsSince1970: 1_700_000_000)
        let known = PublishRecord(.moved, created: time, location: nil).bytes
        let frames = QueueSegment.frame(known, number: 1) + QueueSegment.frame([200] + known, number: 2)
        let storage = MemoryStorage(
            files: [Self.segment: frames, QueueSegment.name(3): QueueSegment.frame(known, number: 3)])
        let queue = try PublishQueue(storage)
        let reader = try QueueReader(queue, name: "new", fromStart: true)
        #expect(reader.records(from: 0, limit: .max, isOld: true).map(\.number) == [1])
        #expect(reader.records(from: 2, limit: .max, isOld: true).isEmpty && reader.hasFailed)
        #expect(reader.failure?.fault == .unknownLayout(segment: Self.segment))
    }
}
