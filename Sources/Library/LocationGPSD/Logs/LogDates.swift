import LocationCore
import GPSDProtocol
import LocwatchPlatform

/// The dates that a log states itself, by which those of gpsd are corrected.
///
/// gpsd moves dates by multiples of `GPSDQuirks.movedDays`: 2015 becomes 2034.
struct LogDates {
    /// The length of a date such as `2015-04-13`.
    static let length = 10
    private static let rollover = GPSDQuirks.movedDays
    /// The greatest distance in days of a date of gpsd from one that the log states near it, apart from rollovers.
    private static let nearby = 400
    /// The longest sentence with a date that is looked at.
    private static let longestSentence = 120

    /// The current day of this machine, in days since 1970.
    private let today: Int
    /// The last date that the log has stated, in days since 1970.
    private(set) var stated: Int?
    /// The beginning of a sentence that is torn at the end of a piece.
    private var torn: [UInt8] = []
    /// The last date that was corrected, with its correction.
    private var last: (date: [UInt8], stated: Int?, correction: [UInt8]?)?
    private var hasMoved = false
    private var hasDoubted = false
    /// The notices that were not taken yet.
    var notices: [Notice] = []

    init(now: Timestamp = SessionClock.system().now.wall) {
        today = Int(now.nanosecondsSince1970 / 86_400_000_000_000)
    }

    /// Finds the last date in the sentences of the next bytes of the log.
    mutating func scan(_ bytes: ArraySlice<UInt8>) {
        let whole = torn + bytes
        let end = whole.lastIndex(of: UInt8(ascii: "\n")) ?? -1
        torn = Array(whole[max(end + 1, whole.count - Self.longestSentence)...])
        whole.withUnsafeBytes { whole in
            for (name, date) in [("RMC,", Self.dateOfRMC), ("ZDA,", Self.dateOfZDA)] as [(StaticString, Reader)] {
                var rest = UnsafeRawBufferPointer(rebasing: whole[..<(end + 1)])
                while let place = rest.range(of: name) {
                    let isSentence = place.lowerBound >= 3 && rest[place.lowerBound - 3] == UInt8(ascii: "$")
                    rest = UnsafeRawBufferPointer(rebasing: rest[place.upperBound...])
                    guard isSentence else { continue }
                    let line = rest.prefix(Self.longestSentence).prefix { $0 >= 0x20 && $0 < 0x7F }
                    let fields = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
                    stated = date(fields) ?? stated
                }
            }
        }
    }

    private typealias Reader = ([Slice<UnsafeRawBufferPointer>]) -> Int?

    /// Returns the date of the fields of an RMC sentence, such as `130415`, if its position is valid.
    private static func dateOfRMC(_ fields: [Slice<UnsafeRawBufferPointer>]) -> Int? {
        guard fields.count > 8, fields[1].first == UInt8(ascii: "A"), fields[8].count == 6,
            let date = Int(String(decoding: fields[8], as: UTF8.self))
        else { return nil }
        let year = date % 100
        return days(year + (year < 80 ? 2000 : 1900), date / 100 % 100, date / 10_000)
    }

    /// Returns the date of the fields of a ZDA sentence: day, month and year after the time.
    private static func dateOfZDA(_ fields: [Slice<UnsafeRawBufferPointer>]) -> Int? {
        let numbers = fields.dropFirst().prefix(3).compactMap { Int(String(decoding: $0, as: UTF8.self)) }
        return numbers.count == 3 ? days(numbers[2], numbers[1], numbers[0]) : nil
    }

    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int? {
        Timestamp(year: year, month: month, day: day).map { Int($0.nanosecondsSince1970 / 86_400_000_000_000) }
    }

    /// Returns the date to put in the place of one of gpsd, or `nil` if it stays.
    mutating func corrected(_ date: UnsafeRawBufferPointer) -> [UInt8]? {
        if let last, last.stated == stated, last.date.elementsEqual(date) { return last.correction }
        let correction = correction(of: String(decoding: date, as: UTF8.self))
        last = (Array(date), stated, correction.map { Array($0.utf8) })
        return last?.correction
    }

    private mutating func correction(of date: String) -> String? {
        let parts = date.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3, let day = Self.days(parts[0], parts[1], parts[2]) else { return nil }
        guard let stated else {
            if day > today + 1 { doubt(date) }
            return nil
        }
        // The nearest number of rollovers.
        let rollovers = (day - stated + Self.rollover / 2) / Self.rollover
        guard rollovers > 0, abs(day - rollovers * Self.rollover - stated) <= Self.nearby else { return nil }
        let seconds = Int64(clamping: day - rollovers * Self.rollover) * 86_400
        let moved = String("\(Timestamp(nanosecondsSince1970: seconds * 1_000_000_000))".prefix(Self.length))
        if !hasMoved {
            hasMoved = true
            notices.append(
                Notice(
                    "gpsd takes \(moved) for \(date), but the log states the date, so that its times are moved back by "
                        + (rollovers == 1 ? "1,024 weeks" : "\(rollovers) times 1,024 weeks")))
        }
        return moved
    }

    private mutating func doubt(_ date: String) {
        guard !hasDoubted else { return }
        hasDoubted = true
        notices.append(
            Notice(
                "the times of the log are in the future: gpsd takes a date before its own release for one 1,024 weeks later, "
                    + "\(date) perhaps, and no sentence of the log states the date; "
                    + "subtract 7,168 days, or record the receiver's session, which keeps the dates"))
    }
}
