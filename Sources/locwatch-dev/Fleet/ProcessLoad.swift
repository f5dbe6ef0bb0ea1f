import Glibc

/// The processor time and the memory of another process, as the system counts them.
struct ProcessLoad: Hashable, Sendable {
    /// The processor time of all threads in seconds.
    var processorTime = 0.0
    /// The resident memory in bytes.
    var memory = 0

    /// The sum over processes; one that has ended counts as nothing.
    init(of processes: [Int32]) {
        for process in processes {
            // The second field, a name in parentheses, can contain spaces.
            let fields = Self.text("/proc/\(process)/stat").split(separator: ")").last?.split(separator: " ") ?? []
            guard fields.count > 21, let user = Double(fields[11]), let system = Double(fields[12]),
                let pages = Int(fields[21])
            else { continue }
            processorTime += (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
            memory += pages * Int(sysconf(Int32(_SC_PAGESIZE)))
        }
    }

    private static func text(_ path: String) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        return withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
            String(decoding: buffer.prefix(max(0, read(file, buffer.baseAddress, buffer.count))), as: UTF8.self)
        }
    }
}
