import LocwatchPlatform

/// A read-only view of the machine for the checks.
protocol MachineView {
    /// The release of the libgps that this program uses.
    var libgps: String? { get }
    /// Whether libgps is a part of the program rather than a package of the system.
    var libgpsIsBuiltIn: Bool { get }
    /// The installed gpsd, if any.
    var gpsd: InstalledGPSD? { get }
    /// Returns the command that installs a package on this system.
    func install(_ package: String) -> String
    /// Returns systemd's state of a unit, or `nil` without systemd.
    func unit(_ name: String) -> UnitState?
    /// Returns the owner and mode of a path, or `nil` if it does not exist.
    func file(_ path: String) -> FileAccess?
    /// Returns the path with its symbolic links resolved.
    func resolved(_ path: String) -> String
    /// Returns the processes that have a device open, among those visible to this user.
    func holders(of path: String) -> [DeviceHolder]
    /// The account that runs this program.
    var user: Account { get }
    /// The account that runs the system's gpsd, if it runs.
    var daemon: Account? { get }
    /// Returns the text of a file, or `nil` if it cannot be read.
    func text(_ path: String) -> String?
    /// The paths of the devices that can be receivers.
    var candidates: [String] { get }
    /// Returns when a program that runs was started, in ticks since the machine started, or `nil` if it does not run.
    func started(_ program: String) -> UInt64?
    /// Whether the host's clock is synchronized, or `nil` if that is unknown.
    var clockIsSynchronized: Bool? { get }
}

/// An installed gpsd.
struct InstalledGPSD: Hashable, Sendable {
    var path: String
    /// The release from `gpsd -V`, or `nil` if it does not answer.
    var release: String?
    /// Whether gpsd supports socket activation, according to `gpsd -h`.
    var takesSockets = true
}

/// The state of a systemd unit.
struct UnitState: Hashable, Sendable {
    /// The load state, such as `loaded`, `not-found` or `masked`.
    var load = "loaded"
    /// The active state, such as `active`, `inactive` or `failed`.
    var active = "inactive"
    /// The state of the unit file, such as `enabled` or `disabled`.
    var file = ""

    var isThere: Bool { load == "loaded" || load == "masked" }
    var isActive: Bool { active == "active" || active == "activating" }
}

/// A user with the properties that determine access to files.
struct Account: Hashable, Sendable {
    var name: String
    var id: UInt32
    /// The groups that are in effect.
    var groups: [String]
    /// The groups that take effect at the next login.
    var futureGroups: [String] = []

    var isRoot: Bool { id == 0 }
}

/// The owner and permissions of a path.
struct FileAccess: Hashable, Sendable {
    var owner: String
    var ownerID: UInt32
    var group: String
    /// The twelve permission bits of the mode.
    var mode: UInt32
    /// Whether the path is a character device, such as a serial line.
    var isDevice = true

    /// Returns whether the permission bits allow an account to read and write the path.
    func isOpen(to account: Account) -> Bool {
        if account.isRoot { return true }
        if account.id == ownerID { return mode & 0o600 == 0o600 }
        if account.groups.contains(group) { return mode & 0o060 == 0o060 }
        return mode & 0o006 == 0o006
    }

    /// Whether the group can read and write the path.
    var isOpenToGroup: Bool { mode & 0o060 == 0o060 }

    /// The permissions in words, such as `root:dialout, mode 660`.
    var words: String { "\(owner):\(group), mode \(String(mode & 0o7777, radix: 8))" }
}
