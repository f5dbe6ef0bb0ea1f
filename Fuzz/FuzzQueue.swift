@testable import GPSDReports
@testable import LocationCore
@testable import LocationPublishing

private let sample: PublishRecord = {
    let place = Location(
        coordinate: Coordinate(latitude: 45.05, longitude: 7.68), timestamp: Timestamp(secondsSince1970: 1.8e9))
    return PublishRecord(.manual, created: Timestamp(secondsSince1970: 1.8e9 + 1), location: place)
}()

/// Fuzzes the files of a queue.
///
/// The input is a list of parts, each with three bytes before it. The first bit of the first byte makes the part a cursor
/// instead of a record. The second bit gives it a valid checksum, as random bytes never have; the third one makes the number
/// of the segment a great one. The second byte is that number, the third one the length of the part.
func fuzzQueue(_ input: UnsafeBufferPointer<UInt8>) {
    var (files, counts): ([String: [UInt8]], [UInt64: UInt64]) = ([:], [:])
    var hasUnknownLayout = false
    var rest = input[...]
    while rest.count >= 3 {
        let header = Array(rest.prefix(3))
        let part = Array(rest.dropFirst(3).prefix(Int(header[2])))
        rest = rest.dropFirst(3 + part.count)
        let isValid = header[0] & 2 != 0
        guard header[0] & 1 == 0 else {
            files["target.cursor"] = isValid ? part.followedByChecksum : part
            continue
        }
        let first = header[0] & 4 != 0 ? UInt64.max - UInt64(header[1]) : UInt64(header[1])
        let number = first &+ counts[first, default: 0]
        counts[first, default: 0] += 1
        files[QueueSegment.name(first), default: []] += isValid ? QueueSegment.frame(part, number: number) : part
        hasUnknownLayout = hasUnknownLayout || isValid && PublishRecord(bytes: part) == nil
        checkRecord(part)
    }
    if hasUnknownLayout {
        checkRefusal(FuzzedQueueFolder(files))
    } else {
        checkQueue(FuzzedQueueFolder(files))
    }
}

extension [UInt8] {
    fileprivate var followedByChecksum: [UInt8] {
        let sum = CRC32.of(self)
        return self + (0..<4).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) }
    }
}

/// Checks that a record is written as it was read, and that every encoder can write it.
private func checkRecord(_ bytes: [UInt8]) {
    guard let record = PublishRecord(bytes: bytes) else { return }
    // Numbers that are no numbers are unequal to themselves, so the bytes are compared.
    check(PublishRecord(bytes: record.bytes)?.bytes == record.bytes, "a record is not read as it is written")
    var decoder = ReportDecoder()
    let json = RecordJSON.encode(record)
    check(isJSON(json, &decoder), "the JSON of a record is none")
    check(!hides(json), "the JSON of a record has a hidden character")
}

/// Checks that a queue with a record of another version, if it is read, fails for no other reason.
private func checkRefusal(_ folder: FuzzedQueueFolder) {
    do throws(QueueError) {
        let reader = try QueueReader(PublishQueue(folder), name: "target")
        _ = reader.records(from: 0, limit: 100, isOld: true)
        if let failure = reader.failure { throw failure }
    } catch {
        if case .unknownLayout = error.fault { return }
        check(false, "the queue is refused for another reason")
    }
}

/// Checks that a queue with any files takes records, and that a target gets them now and after another start.
private func checkQueue(_ folder: FuzzedQueueFolder) {
    guard let queue = try? PublishQueue(folder), let reader = try? QueueReader(queue, name: "target") else {
        return check(false, "the queue cannot be opened")
    }
    let end = queue.end
    guard let first = try? queue.append(sample), let second = try? queue.append(sample) else {
        return check(false, "a record cannot be appended")
    }
    check(first == end && second == end + 1, "the numbers of records are not in order")
    checkProgress(reader, of: queue, until: second)
    check(reader.records(from: first, limit: 10, isOld: false).map(\.record) == [sample, sample], "a record is lost")
    _ = reader.records(from: 0, limit: 100, isOld: true)
    reader.store(DeliveryProgress.Cursor(low: second))
    check(reader.failure == nil, "the cursor cannot be stored")

    guard let again = try? PublishQueue(folder), let next = try? QueueReader(again, name: "target") else {
        return check(false, "the queue cannot be opened again")
    }
    check(again.end == second + 1, "a record is missing after another start")
    check(next.stored == DeliveryProgress.Cursor(low: second), "the cursor was not stored")
    check(next.records(from: second, limit: 10, isOld: true).map(\.record) == [sample], "a record is lost later")
}

/// Checks that the records that a cursor leaves are given out once each.
private func checkProgress(_ reader: QueueReader, of queue: PublishQueue, until last: UInt64) {
    for order in [BacklogOrder.ordered, .newestFirst, .none] {
        var progress = DeliveryProgress(order, from: reader.stored)
        _ = progress.begin(end: queue.end)
        check(progress.remaining(before: queue.end) >= 0, "a negative number of records is left")
        var given: Set<UInt64> = []
        while given.count < 100, let number = progress.newRecord(before: queue.end) ?? progress.oldRecord() {
            check(given.insert(number).inserted, "a record is given out twice")
            check(number <= last, "a record is given out that does not exist")
            progress.send(number)
        }
        progress.take(Array(given))
        check(given.allSatisfy { !progress.isToSend($0) }, "a record is sent that was taken")
    }
}
