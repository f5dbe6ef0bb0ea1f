import LocationCore

/// A fault of a recorded session, applied to its bytes so that every reader encounters it.
///
/// Lines are numbered from 1. A fault for a line that does not exist changes nothing.
public enum SessionFault: Hashable, Sendable {
    /// Ends the session after a number of lines.
    case cut(afterLines: Int)
    /// Ends the session within a line, after a number of its bytes.
    case tear(line: Int, atByte: Int)
    /// Removes a line.
    case lose(line: Int)
    /// Repeats a line, so that it occurs `times` times.
    case repeatLine(Int, times: Int = 2)
    /// Moves a line behind a number of the lines that follow it.
    case delay(line: Int, behind: Int)
    /// Shuffles all lines in an order determined by the seed.
    case shuffle(seed: UInt64)
    /// Removes the end of a line, so that the next line continues it.
    case joinWithNext(line: Int)
    /// Changes a number of bytes chosen by the seed, which can include line ends.
    case corrupt(bytes: Int, seed: UInt64)
    /// Inserts bytes before a line, such as noise or another protocol.
    case insert([UInt8], beforeLine: Int)

    package func applied(to bytes: [UInt8]) -> [UInt8] {
        if case .corrupt(let count, let seed) = self { return Self.corrupted(bytes, count, seed) }
        var lines = Self.lines(bytes)
        apply(to: &lines)
        return Array(lines.joined())
    }

    private func apply(to lines: inout [ArraySlice<UInt8>]) {
        switch self {
        case .cut(let count): lines.removeLast(lines.count - min(max(0, count), lines.count))
        case .tear(let line, let byte):
            guard let index = Self.index(line, in: lines) else { return }
            lines = Array(lines[...index])
            lines[index] = lines[index].prefix(max(0, byte))
        case .lose(let line):
            if let index = Self.index(line, in: lines) { lines.remove(at: index) }
        case .repeatLine(let line, let times):
            guard let index = Self.index(line, in: lines) else { return }
            lines.replaceSubrange(index...index, with: repeatElement(lines[index], count: max(0, times)))
        case .delay(let line, let count):
            guard let index = Self.index(line, in: lines) else { return }
            let delayed = lines.remove(at: index)
            lines.insert(delayed, at: index + min(max(0, count), lines.count - index))
        case .shuffle(let seed):
            var random = SplitMix64(seed: seed)
            for index in lines.indices.dropFirst().reversed() {
                lines.swapAt(index, random.below(index + 1))
            }
        case .joinWithNext(let line):
            if let index = Self.index(line, in: lines), lines[index].last == Self.newline { lines[index].removeLast() }
        case .insert(let noise, let line):
            guard let index = Self.index(line, in: lines) else { return }
            lines.insert(noise[...], at: index)
        case .corrupt: break  // `applied(to:)` handles it on the bytes.
        }
    }

    private static let newline = UInt8(ascii: "\n")

    private static func index(_ line: Int, in lines: [ArraySlice<UInt8>]) -> Int? {
        lines.indices.contains(line - 1) ? line - 1 : nil
    }

    /// Splits bytes into lines that include their line ends; the last line may have none.
    static func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: newline) {
            lines.append(rest[...end])
            rest = rest[(end + 1)...]
        }
        if !rest.isEmpty { lines.append(rest) }
        return lines
    }

    private static func corrupted(_ bytes: [UInt8], _ count: Int, _ seed: UInt64) -> [UInt8] {
        var bytes = bytes
        var random = SplitMix64(seed: seed)
        guard !bytes.isEmpty else { return bytes }
        for _ in 0..<max(0, count) {
            let index = random.below(bytes.count)
            // XOR with 1…255, never 0, so that the byte does change.
            bytes[index] ^= UInt8(1 + random.below(255))
        }
        return bytes
    }
}

extension Sequence where Element == SessionFault {
    /// Returns the bytes of a session with all these faults, applied in order.
    package func applied(to bytes: [UInt8]) -> [UInt8] {
        reduce(bytes) { $1.applied(to: $0) }
    }
}
