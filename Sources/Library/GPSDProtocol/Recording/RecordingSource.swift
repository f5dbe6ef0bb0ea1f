/// The origin of a recording's bytes.
public enum RecordingSource: Hashable, Sendable {
    /// A file, or anything else with a path that can be read.
    case path(String)
    /// An open descriptor, such as 0 for standard input; it is not closed.
    case descriptor(Int32)
    /// Bytes in memory, with a name for messages.
    case bytes([UInt8], name: String = "bytes")

    /// The name in messages.
    public var name: String {
        switch self {
        case .path(let path): path
        case .descriptor(0): "standard input"
        case .descriptor(let descriptor): "descriptor \(descriptor)"
        case .bytes(_, let name): name
        }
    }
}
