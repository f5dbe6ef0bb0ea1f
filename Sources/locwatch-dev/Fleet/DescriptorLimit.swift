import Glibc

/// The number of descriptors that this process may have.
enum DescriptorLimit {
    /// Raises the limit as far as the system allows, and throws if it does not suffice.
    static func require(_ connections: Int) throws {
        // Beside the connections: the standard ones, the groups and the event of the loops, and the files of the figures.
        let needed = connections + 32
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        if limit.rlim_cur < rlim_t(needed) {
            limit.rlim_cur = min(limit.rlim_max, rlim_t(needed))
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        guard limit.rlim_cur >= rlim_t(needed) else {
            throw FleetFailure(
                "\(connections) connections need \(needed) descriptors, but this process may have \(limit.rlim_max): "
                    + "raise the limit (ulimit -Hn, LimitNOFILE= of a service) or simulate fewer devices")
        }
    }
}
