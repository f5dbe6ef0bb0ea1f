import LocwatchPlatform

/// What the checks ask about this machine; nothing of it changes anything.
protocol MachineView {
    /// The release of libgps that this program runs with.
    var libgps: String? { get }
    /// Whether it is a part of the program, and no package of the system.
    var libgpsIsBuiltIn: Bool { get }
    /// The program gpsd, where there is one.
    var gpsd: InstalledGPSD? { get }
    /// The command that installs a package here.
    func install(_ package: String) -> String
    /// systemd's state of a unit; `nil` where there is no systemd.
    func unit(_ name: String) -> UnitState?
    /// Who a path belongs to; `nil` where there is nothing.
    func file(_ path: String) -> FileAccess?
    /// The path that a link leads to.
    func resolved(_ path: String) -> String
    /// The processes that have a device open, of those that this user may look at.
    func holders(of path: String) -> [DeviceHolder]
    /// Who runs this program.
    var user: Account { get }
    /// Who runs the system's gpsd, where it runs.
    var daemon: Account? { get }
    /// The text of a file.
    func text(_ path: String) -> String?
    /// The devices that may be receivers.
    var candidates: [String] { get }
    /// Whether the host's clock is kept by a time server; `nil` where that cannot be told.
    var clockIsSynchronized: Bool? { get }
}

/// A gpsd on the disk.
struct InstalledGPSD: Hashable, Sendable {
    var path: String
    /// What `gpsd -V` says; `nil` where it does not answer.
    var release: String?
    /// Whether it accepts connections from sockets that another program hands to it, as `gpsd -h` tells.
    var takesSockets = true
}

/// What systemd knows of a unit.
struct UnitState: Hashable, Sendable {
    /// Such as `loaded`, `not-found` or `masked`.
    var load = "loaded"
    /// Such as `active`, `inactive` or `failed`.
    var active = "inactive"
    /// Such as `enabled` or `disabled`.
    var file = ""

    var isThere: Bool { load == "loaded" || load == "masked" }
    var isActive: Bool { active == "active" || active == "activating" }
}

/// A user, as far as it decides what may be opened.
struct Account: Hashable, Sendable {
    var name: String
    var id: UInt32
    /// The groups that count now.
    var groups: [String]
    /// Groups that the account has and that count from the next login on.
    var futureGroups: [String] = []

    var isRoot: Bool { id == 0 }
}

/// Who may open a path.
struct FileAccess: Hashable, Sendable {
    var owner: String
    var ownerID: UInt32
    var group: String
    /// The twelve bits of the mode.
    var mode: UInt32
    /// Whether it is a character device, as a serial line is.
    var isDevice = true

    /// Whether somebody may read and write it, as the bits of the mode say.
    func isOpen(to account: Account) -> Bool {
        if account.isRoot { return true }
        if account.id == ownerID { return mode & 0o600 == 0o600 }
        if account.groups.contains(group) { return mode & 0o060 == 0o060 }
        return mode & 0o006 == 0o006
    }

    /// Whether its group may read and write it.
    var isOpenToGroup: Bool { mode & 0o060 == 0o060 }

    /// As in `root:dialout, mode 660`.
    var words: String { "\(owner):\(group), mode \(String(mode & 0o7777, radix: 8))" }
}
