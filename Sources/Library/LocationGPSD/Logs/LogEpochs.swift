/// The epochs of a log of sentences that state no date, by the times of the sentences.
///
/// gpsd can report such an epoch twice (`GPSDQuirks.repeatsUndatedEpochs`). The log itself tells which reports are of one epoch if gpsd
/// gets one epoch at a time.
struct LogEpochs {
    /// The sentences that state the time of a position, with the field that has it.
    private static let sentences: [(name: [UInt8], field: Int)] = [
        (Array("GGA".utf8), 1), (Array("GNS".utf8), 1), (Array("GLL".utf8), 5),
    ]
    /// The longest part of a sentence up to its time.
    private static let longest = 80

    /// The time that the last sentence has stated; empty before the first one.
    private var time: [UInt8] = []
    /// The beginning of a sentence that is torn at the end of a piece.
    private var torn: [UInt8] = []

    /// Whether a sentence has stated a time.
    var isKnown: Bool { !time.isEmpty }

    /// Returns the number of bytes at the beginning of a log's next bytes that are of one epoch, at least one, and whether they begin it.
    mutating func next(of bytes: ArraySlice<UInt8>) -> (length: Int, isFirst: Bool) {
        let joined = torn + bytes
        let offset = torn.count
        torn = []
        var isFirst = false
        var place = 0
        while let start = joined[place...].firstIndex(of: UInt8(ascii: "$")) {
            place = start + 1
            switch Self.time(of: joined[start...].prefix(Self.longest)) {
            case .none: continue
            case .torn:
                torn = Array(joined[start...])
                return (bytes.count, isFirst)
            case .stated(let stated):
                guard stated != time else { continue }
                if start > offset { return (start - offset, isFirst) }
                isFirst = true
                time = stated
            }
        }
        return (bytes.count, isFirst)
    }

    private enum Statement { case none, torn, stated([UInt8]) }

    /// Returns what the bytes from a dollar sign on say about the time.
    private static func time(of bytes: ArraySlice<UInt8>) -> Statement {
        // A line end before the time ends a sentence that is none.
        let line = bytes.prefix { $0 >= 0x20 && $0 < 0x7F }
        let isTorn = line.count == bytes.count && bytes.count < longest
        let name = line.dropFirst(3).prefix(3)
        guard name.count == 3 else { return isTorn ? .torn : .none }
        guard let sentence = sentences.first(where: { $0.name.elementsEqual(name) }) else { return .none }
        let fields = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        // The time is whole if something follows it.
        guard fields.count > sentence.field + 1 else { return isTorn ? .torn : .none }
        let time = Array(fields[sentence.field])
        return time.isEmpty ? .none : .stated(time)
    }
}
