/// A filter that removes a device from gpsd's lines, such as the pipe of the corrections.
struct DeviceRemoval: Hashable, Sendable {
    private let opening: [UInt8]

    /// Creates a filter for a device whose path needs no escapes.
    init(of path: String) { opening = Array(#"{"class":"DEVICE","path":"\#(path)""#.utf8) }

    /// Returns a line without the device, or `nil` if the line reports nothing else.
    func apply(to line: [UInt8]) -> [UInt8]? {
        // The search of the standard library would link its regular expressions, which are a megabyte.
        guard let start = line.indices.first(where: { line[$0...].starts(with: opening) }),
            let end = line[start...].firstIndex(of: UInt8(ascii: "}"))
        else { return line }
        guard start > 0 else { return nil }
        var rest = line
        // The object and a comma before it, or else after it.
        let comma = UInt8(ascii: ",")
        if rest[start - 1] == comma {
            rest.removeSubrange(start - 1...end)
        } else {
            let next = end + 1 < rest.count && rest[end + 1] == comma ? end + 1 : end
            rest.removeSubrange(start...next)
        }
        return rest
    }
}
