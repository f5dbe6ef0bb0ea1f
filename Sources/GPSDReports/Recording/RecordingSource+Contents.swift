public import LocationCore

extension RecordingSource {
    /// Reads all bytes of a recording, which must fit into memory.
    public func contents() async throws(LocationError) -> [UInt8] {
        let source = try ChunkSource(self)
        var bytes: [UInt8] = []
        while let chunk = try await source.next().get() { bytes += chunk }
        return bytes
    }
}
