/// A set of sequence numbers that count up from 0, with one bit for each.
struct SequenceSet: Hashable, Sendable {
    private var words: [UInt64] = []
    /// The number of members.
    private(set) var count = 0

    /// Adds a number; returns false if it was a member.
    mutating func insert(_ number: Int) -> Bool {
        let (word, bit) = (number >> 6, UInt64(1) << UInt64(number & 63))
        while words.count <= word { words.append(0) }
        guard words[word] & bit == 0 else { return false }
        words[word] |= bit
        count += 1
        return true
    }

    /// The members in ascending order.
    var members: [Int] {
        words.indices.flatMap { word in
            (0..<64).filter { words[word] >> UInt64($0) & 1 == 1 }.map { word << 6 + $0 }
        }
    }

    /// Returns the members that another set does not have, in ascending order.
    func subtracting(_ other: SequenceSet) -> [Int] {
        var rest = self
        for index in rest.words.indices.prefix(other.words.count) { rest.words[index] &= ~other.words[index] }
        return rest.members
    }
}
