import LocationCore
import Testing

@testable import LocationPublishing

@Suite struct MemoryQueueTests {
    private func record(_ number: Int) -> PublishRecord {
        PublishRecord(
            .moved, created: Timestamp(secondsSince1970: Double(number)),
            location: Location(coordinate: Coordinate(latitude: 1, longitude: 2)))
    }

    @Test func `a full queue keeps the newest records and counts the others`() {
        let queue = MemoryQueue(capacity: 10)
        let place = queue.place(named: "a")
        for number in 1...1_000 { #expect(queue.append(record(number)) == UInt64(number)) }
        #expect(queue.dropped == 990 && place.end == 1_001 && place.stored == DeliveryMark(low: 1))
        #expect(place.records(from: 1, limit: 3)?.map(\.number) == [991, 992, 993])
        #expect(place.records(from: 999, limit: 9)?.map(\.record) == [record(999), record(1_000)])
        #expect(place.records(from: 1_001, limit: 9) == [])
    }

    @Test func `records that every target has taken are removed and not counted`() {
        let queue = MemoryQueue(capacity: 10)
        let place = queue.place(named: "a")
        for number in 1...200 { queue.release(below: queue.append(record(number)) + 1) }
        #expect(queue.dropped == 0 && place.records(from: 0, limit: 9) == [])
        queue.append(record(201))
        #expect(queue.place(named: "b").start == 201)
        #expect(queue.place(named: "c").stored.low == 202)
    }

    @Test func `a queue has room for one record at least, and none of its records is unreadable`() {
        for capacity in [0, 1] {
            let queue = MemoryQueue(capacity: capacity)
            for number in 1...2 { queue.append(record(number)) }
            let place = queue.place(named: "a")
            #expect(place.records(from: 0, limit: 9)?.map(\.number) == [2] && place.start == 2)
            #expect(queue.dropped == 1 && queue.unreadable == 0)
        }
    }

    @Test func `the numbers continue after an outage`() {
        let queue = MemoryQueue(capacity: 10_000)
        for number in 1...10_000 { queue.append(record(number)) }
        queue.release(below: 10_001)
        #expect(queue.append(record(10_001)) == 10_001)
        #expect(queue.place(named: "a").records(from: 0, limit: 9)?.map(\.number) == [10_001])
    }
}
