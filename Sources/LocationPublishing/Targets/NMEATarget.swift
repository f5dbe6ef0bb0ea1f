import LocationCore

/// NMEA 0183 for chart plotters: a GGA and an RMC sentence for each position.
public struct NMEATarget: StreamTarget {
    /// Creates a target.
    public init() {}

    /// Returns the datagrams for a record.
    public func datagrams(for record: PublishRecord) -> [[UInt8]] {
        // Without a void sentence a chart plotter would keep the last position.
        guard record.occasion != .lost, let location = record.location else {
            let lost = NMEAPosition(time: record.created)
            return [NMEASentence.gga(lost).bytes + NMEASentence.rmc(lost).bytes]
        }
        let position = NMEAPosition(location, used: record.satellitesUsed, hdop: nil)
        return [NMEASentence.gga(position).bytes + NMEASentence.rmc(position).bytes]
    }
}
