import Glibc

/// The number of descriptors that this process may have.
package enum DescriptorLimit {
    /// Raises the limit to `count` as far as the system allows.
    package static func raise(to count: Int) {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return }
        let wanted = min(limit.rlim_max, rlim_t(count))
        guard limit.rlim_cur < wanted else { return }
        limit.rlim_cur = wanted
        setrlimit(resource, &limit)
    }
}
