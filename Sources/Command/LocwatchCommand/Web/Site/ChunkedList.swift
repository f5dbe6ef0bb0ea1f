/// A list that shares all but its newest elements with its copies, so that an append after a copy costs little memory.
struct ChunkedList<Element: Sendable>: RandomAccessCollection, Sendable {
    /// The number of elements in each part but the last one.
    private static var chunkSize: Int { 64 }

    private var chunks: [[Element]] = []

    var startIndex: Int { 0 }
    var endIndex: Int { chunks.isEmpty ? 0 : (chunks.count - 1) * Self.chunkSize + chunks[chunks.count - 1].count }

    subscript(place: Int) -> Element {
        get { chunks[place / Self.chunkSize][place % Self.chunkSize] }
        set { chunks[place / Self.chunkSize][place % Self.chunkSize] = newValue }
    }

    mutating func append(_ element: Element) {
        if count % Self.chunkSize == 0 {
            chunks.append([])
            chunks[chunks.count - 1].reserveCapacity(Self.chunkSize)
        }
        chunks[chunks.count - 1].append(element)
    }
}
