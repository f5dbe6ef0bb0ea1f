/// The number of times that each of a few values came, most often the same one as before.
///
/// Such a repetition is counted without a search in the dictionary, which takes 250 instructions.
struct RunCounts<Value: Hashable & Sendable>: Sendable {
    private var ended: [Value: Int] = [:]
    private var run: (value: Value, count: Int)?

    /// The counts of all values.
    var all: [Value: Int] {
        guard let run else { return ended }
        return ended.merging([run.value: run.count], uniquingKeysWith: +)
    }

    mutating func count(_ value: Value) {
        if run?.value == value {
            run?.count += 1
        } else {
            if let run { ended[run.value, default: 0] += run.count }
            run = (value, 1)
        }
    }
}
