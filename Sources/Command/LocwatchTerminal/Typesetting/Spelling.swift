/// Suggestions for misspelled words.
package enum Spelling {
    /// Returns the nearest known word, or `nil` if none is near enough.
    package static func nearest(to word: String, among known: some Sequence<String>) -> String? {
        let allowed = if word.count <= 5 { 1 } else if word.count <= 8 { 2 } else { 3 }
        let length = word.lowercased().unicodeScalars.count
        // The distance is at least the difference of the lengths; to measure it for a word of megabytes would take minutes.
        let near = known.lazy.filter { abs($0.lowercased().unicodeScalars.count - length) <= allowed }
            .map { (word: $0, distance: distance(word.lowercased(), $0.lowercased())) }
            .filter { $0.distance <= allowed && $0.distance < max($0.word.count, word.count) }
            .filter { !isAnother(word.lowercased(), $0.word.lowercased()) }
        return near.min { $0.distance < $1.distance }?.word
    }

    /// Whether two short words, such as ksh and zsh, have different letters, so that neither is a misspelling of the other.
    private static func isAnother(_ word: String, _ known: String) -> Bool {
        word.count <= 3 && word.count == known.count && word.sorted() != known.sorted()
    }

    /// Returns the number of letters to insert, delete, change or swap with their neighbour.
    static func distance(_ one: String, _ other: String) -> Int {
        let (one, other) = (Array(one.unicodeScalars), Array(other.unicodeScalars))
        var beforeLast: [Int] = []
        var last = Array(0...other.count)
        for row in one.indices {
            var current = [row + 1]
            for column in other.indices {
                var best = min(last[column + 1] + 1, current[column] + 1)
                best = min(best, last[column] + (one[row] == other[column] ? 0 : 1))
                if row > 0, column > 0, one[row] == other[column - 1], one[row - 1] == other[column] {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            (beforeLast, last) = (last, current)
        }
        return last[other.count]
    }
}
