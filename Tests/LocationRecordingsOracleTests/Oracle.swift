import CGPSD

/// libgps' own decoder, one line at a time.
final class Oracle {
    let handle: OpaquePointer

    init?() {
        guard let handle = locwatch_oracle_create() else { return nil }
        self.handle = handle
    }

    deinit { locwatch_oracle_destroy(handle) }

    /// Reads a line and returns whether libgps knows its class; check `HazardousLine` first, because it never returns
    /// from some lines.
    func read(_ line: String) -> Bool { locwatch_oracle_read(handle, line) }

    var satellites: [locwatch_oracle_satellite] {
        (0..<locwatch_oracle_sky_of(handle).visible).map { locwatch_oracle_satellite_at(handle, $0) }
    }

    var devices: [locwatch_oracle_device] {
        (0..<locwatch_oracle_device_count(handle)).map { locwatch_oracle_device_at(handle, $0) }
    }

    /// The release of the loaded libgps.
    static var release: String { locwatch_gps_library_release().map { String(cString: $0) } ?? "unknown" }
}
