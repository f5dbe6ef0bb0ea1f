import Glibc

/// The number of descriptors that this process may have.
package enum DescriptorLimit {
    /// Raises the limit to `count` as far as the system allows, and returns the limit; `nil` if it is not known.
    @discardableResult package static func raise(to count: Int) -> Int? {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return nil }
        let wanted = min(limit.rlim_max, rlim_t(count))
        if limit.rlim_cur < wanted {
            limit.rlim_cur = wanted
            guard setrlimit(resource, &limit) == 0, getrlimit(resource, &limit) == 0 else { return nil }
        }
        return Int(clamping: limit.rlim_cur)
    }
}
