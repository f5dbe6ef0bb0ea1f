/// The numbers of segments that are read from a file, which can hold anything.
enum SegmentNumber {
    /// Returns the number that the digits denote, or `nil` if it is not a plausible segment.
    static func read(_ digits: some Collection<UInt8>) -> Int? {
        guard 1...9 ~= digits.count, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
