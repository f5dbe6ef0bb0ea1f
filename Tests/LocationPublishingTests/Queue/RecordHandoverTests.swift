import LocationCore
import Testing

@testable import LocationPublishing

@Suite struct RecordHandoverTests {
    private func record(_ number: Int) -> PublishRecord {
        PublishRecord(.moved, created: Timestamp(secondsSince1970: Double(number)), location: nil)
    }

    @Test func `records are taken in their order, and what was put back comes first`() throws {
        let handover = RecordHandover(capacity: 3)
        #expect(handover.isEmpty && handover.handed == 0)
        for number in 1...3 { #expect(try handover.put(record(number)) == UInt64(number)) }
        #expect(throws: PublishError.slowQueue(waiting: 3)) { try handover.put(record(4)) }
        #expect(!handover.isEmpty && handover.handed == 3)
        let taken = handover.take()
        #expect(taken == (1...3).map { record($0) } && handover.isEmpty)
        try handover.put(record(4))
        handover.putBack(taken[1...])
        handover.putBack([])
        #expect(handover.take() == [record(2), record(3), record(4)] && handover.handed == 4)
    }

    @Test(arguments: [0, 1]) func `there is room for one record at least`(capacity: Int) throws {
        let handover = RecordHandover(capacity: capacity)
        #expect(try handover.put(record(1)) == 1)
        #expect(throws: PublishError.slowQueue(waiting: 1)) { try handover.put(record(2)) }
    }

    @Test func `after the end every record is refused, and those before it can be taken`() throws {
        let handover = RecordHandover(capacity: 9)
        try handover.put(record(1))
        handover.close()
        #expect(throws: PublishError.ended) { try handover.put(record(2)) }
        #expect(handover.take() == [record(1)] && handover.handed == 1)
    }
}
