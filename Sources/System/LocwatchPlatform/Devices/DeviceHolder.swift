import Glibc

/// Another process that has a device open.
public struct DeviceHolder: Hashable, Sendable, CustomStringConvertible {
    /// The id of the process.
    public var processID: Int32
    /// The name of the program, which the kernel truncates at 15 bytes.
    public var name: String
    /// The process that started it and alone reads from it, if it is a private gpsd.
    package var owner: Owner?
    /// The TCP port at which other programs read what it reads, if it is a gpsd that has one.
    package var port: UInt16?

    /// The process of a private gpsd, such as another locwatch.
    package struct Owner: Hashable, Sendable {
        package var processID: Int32
        package var name: String

        package init(processID: Int32, name: String) {
            self.processID = processID
            self.name = name
        }
    }

    /// Creates a description of a process.
    public init(processID: Int32, name: String) {
        self.processID = processID
        self.name = name
    }

    /// Whether the process is a gpsd.
    public var isGPSD: Bool { name == "gpsd" }

    /// Whether this process started it, itself or through the process that watches over its children; `nil` if it has ended
    /// since it was found.
    package var isOwn: Bool? {
        switch Self.parent(of: processID) {
        case nil: nil
        case getpid(): true
        // The parent is outside of the container.
        case 0: false
        case let parent?: Self.parent(of: parent).map { $0 == getpid() }
        }
    }

    private static func parent(of process: Int32) -> Int32? {
        let line = FileText.read("/proc/\(process)/status")?.split(separator: "\n").first { $0.hasPrefix("PPid:\t") }
        return line.flatMap { Int32($0.dropFirst(6)) }
    }

    /// The process as messages name it: `ModemManager (process 812)`, or `another locwatch (process 811)` for its private gpsd
    /// and for itself, which has a line open until its gpsd has.
    public var description: String {
        let (processID, name) = owner.map { ($0.processID, $0.name) } ?? (processID, name)
        if name == "locwatch" { return "another locwatch (process \(processID))" }
        let place = port.map { $0 == GPSDArguments.usualPort ? "" : " at port \($0)" } ?? ""
        return "\(name)\(place) (process \(processID))"
    }

    /// Returns the other processes that have a device open, among those whose files this user may see.
    public static func all(of device: DeviceIdentity) -> [DeviceHolder] {
        let processes = FolderNames.list("/proc").compactMap { Int32($0) }.filter { $0 != getpid() }.sorted()
        return processes.filter { process in
            FolderNames.list("/proc/\(process)/fd").contains { file in
                DeviceIdentity(path: "/proc/\(process)/fd/\(file)") == device
            }
        }
        .map { DeviceHolder($0) }
    }

    /// Returns the other processes that read a device.
    ///
    /// The creator of a pseudo terminal always has it open, so only a gpsd counts there.
    public static func readers(of device: DeviceIdentity) -> [DeviceHolder] {
        all(of: device).filter { !device.isPseudoTerminal || $0.isGPSD }
    }

    /// Describes a process that runs.
    private init(_ process: Int32) {
        self.init(processID: process, name: Self.name(of: process))
        guard isGPSD else { return }
        if let keeper = Self.parent(of: process), Self.name(of: keeper) == Self.keeper,
            let owner = Self.parent(of: keeper), owner > 0
        {
            self.owner = Owner(processID: owner, name: Self.name(of: owner))
        } else {
            port = FileText.read("/proc/\(process)/cmdline").flatMap(Self.port(inCommandLine:))
        }
    }

    /// The name of the process that watches over the children of locwatch.
    private static let keeper = "locwatch-keeper"

    private static func name(of process: Int32) -> String {
        FileText.read("/proc/\(process)/comm")?.split(separator: "\n").first.map(String.init) ?? "a program"
    }

    /// Returns the port of a gpsd from the text of its /proc/…/cmdline, or `nil` if it has none.
    static func port(inCommandLine text: String) -> UInt16? {
        let port = GPSDArguments(commandLine: text).port ?? GPSDArguments.usualPort
        return port == 0 ? nil : port
    }
}
