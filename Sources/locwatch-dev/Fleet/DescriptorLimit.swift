import LocwatchPlatform

extension DescriptorLimit {
    /// Raises the limit as far as the system allows, and throws if it does not suffice.
    static func require(_ connections: Int) throws {
        // Beside the connections: the standard ones, the groups and the event of the loops, and the files of the figures.
        let needed = connections + 32
        let limit = raise(to: needed) ?? 0
        guard limit >= needed else {
            throw FleetFailure(
                "\(connections) connections need \(needed) descriptors, but this process may have \(limit): "
                    + "raise the limit (ulimit -Hn, LimitNOFILE= of a service) or simulate fewer devices")
        }
    }
}
