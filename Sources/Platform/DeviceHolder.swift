import Glibc

/// Another process that has a device open.
public struct DeviceHolder: Hashable, Sendable, CustomStringConvertible {
    /// The id of the process.
    public var processID: Int32
    /// The name of the program, which the kernel truncates at 15 bytes.
    public var name: String

    /// Creates a description of a process.
    public init(processID: Int32, name: String) {
        self.processID = processID
        self.name = name
    }

    /// The process as messages name it: `ModemManager (process 812)`.
    public var description: String { "\(name) (process \(processID))" }

    /// Returns the first other process that has a device open, among those whose files this user may see.
    public static func find(_ number: UInt64) -> DeviceHolder? {
        let processes = FolderNames.list("/proc").compactMap { Int32($0) }.filter { $0 != getpid() }.sorted()
        for process in processes {
            for file in FolderNames.list("/proc/\(process)/fd") {
                var status = stat()
                guard stat("/proc/\(process)/fd/\(file)", &status) == 0, status.st_mode & S_IFMT == S_IFCHR,
                    UInt64(status.st_rdev) == number
                else { continue }
                return DeviceHolder(processID: process, name: name(of: process))
            }
        }
        return nil
    }

    private static func name(of process: Int32) -> String {
        FileText.read("/proc/\(process)/comm")?.split(separator: "\n").first.map(String.init) ?? "a program"
    }
}
