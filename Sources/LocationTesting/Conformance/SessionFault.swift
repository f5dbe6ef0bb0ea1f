import LocationCore

/// Something that goes wrong with a recorded session; applied to its bytes, so that all that reads them meets it.
///
/// Lines are counted from 1, as editors do. A fault that names a line which is not there changes nothing.
public enum SessionFault: Hashable, Sendable, Codable {
    /// The session ends after so many lines.
    case cut(afterLines: Int)
    /// The session ends within a line, after so many of its bytes.
    case tear(line: Int, atByte: Int)
    /// A line is missing.
    case lose(line: Int)
    /// A line comes so many times instead of once.
    case repeatLine(Int, times: Int = 2)
    /// A line comes only after so many of those that followed it.
    case delay(line: Int, behind: Int)
    /// All lines come in an order that follows from a seed.
    case shuffle(seed: UInt64)
    /// The end of a line is lost, so that the next one follows it without a break.
    case joinWithNext(line: Int)
    /// So many bytes, chosen by a seed, are other ones; line ends among them.
    case corrupt(bytes: Int, seed: UInt64)
    /// Bytes are put in before a line, such as noise or another protocol.
    case insert([UInt8], beforeLine: Int)

    /// The bytes of a session with this fault.
    public func applied(to bytes: [UInt8]) -> [UInt8] {
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
            lines.insert(delayed, at: min(index + max(0, count), lines.count))
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
        case .corrupt: break  // Needs no lines: applied to the bytes.
        }
    }

    private static let newline = UInt8(ascii: "\n")

    private static func index(_ line: Int, in lines: [ArraySlice<UInt8>]) -> Int? {
        lines.indices.contains(line - 1) ? line - 1 : nil
    }

    /// Each line with its end; a last one may have none.
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
            // 1 … 255 and never 0, so that the byte does change.
            bytes[index] ^= UInt8(1 + random.below(255))
        }
        return bytes
    }
}

extension Sequence where Element == SessionFault {
    /// The bytes of a session with all these faults, one applied after the other.
    public func applied(to bytes: [UInt8]) -> [UInt8] {
        reduce(bytes) { $1.applied(to: $0) }
    }
}
