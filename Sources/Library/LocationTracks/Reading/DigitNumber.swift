/// Whole numbers that are read from a file, which can hold anything.
enum DigitNumber {
    /// Returns the number that one to nine digits denote, or `nil` if there are others or something else.
    static func read(_ digits: some Collection<UInt8>) -> Int? {
        guard 1...9 ~= digits.count, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
