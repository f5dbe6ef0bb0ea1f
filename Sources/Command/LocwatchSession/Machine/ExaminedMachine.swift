package import LocwatchPlatform

/// A read-only view of the machine for the checks.
package protocol ExaminedMachine {
    /// The release of the libgps that this program uses.
    var libgps: String? { get }
    /// Whether libgps is a part of the program rather than a package of the system.
    var libgpsIsBuiltIn: Bool { get }
    /// The installed gpsd, if any.
    var gpsd: InstalledGPSD? { get }
    /// Whether a gpsd is installed, which is known without running it.
    var hasGPSD: Bool { get }
    /// The parts of the confinement of decoders and private daemons that this machine can apply.
    var confinement: ConfinementParts { get }
    /// Returns the command that installs a package on this system.
    func install(_ package: String) -> String
    /// Returns systemd's state of a unit, or `nil` without systemd.
    func unit(_ name: String) -> UnitState?
    /// Returns the owner and mode of a path, or `nil` if it does not exist.
    func file(_ path: String) -> FileAccess?
    /// Returns whether a path exists.
    func exists(_ path: String) -> Bool
    /// Returns whether this user may read and write a path.
    func opens(_ path: String) -> Bool
    /// Returns the sorted names in a folder; empty if it cannot be read.
    func names(in folder: String) -> [String]
    /// Returns the path with its symbolic links resolved.
    func resolved(_ path: String) -> String
    /// Returns the processes that have a device open, among those visible to this user.
    func holders(of path: String) -> [DeviceHolder]
    /// The account that runs this program.
    var user: Account { get }
    /// The gpsds of the system that run, without private ones.
    var daemons: [RunningGPSD] { get }
    /// Returns the text of a file, or `nil` if it cannot be read.
    func text(_ path: String) -> String?
    /// The paths of the devices that can be receivers.
    var candidates: [String] { get }
    /// Returns when a program that runs was started, in ticks since the machine started, or `nil` if it does not run.
    func started(_ program: String) -> UInt64?
    /// Returns what a serial line sends at a speed within a time, or until that is enough; `nil` if it cannot be read.
    func bytes(from path: String, at speed: Int?, within time: Duration, until isEnough: ([UInt8]) -> Bool) -> [UInt8]?
    /// Returns the number of bytes that a gpsd reads from a device within a time, or `nil` if it does not tell.
    func rawBytes(of device: String, at host: String, _ port: String, within time: Duration) -> Int?
    /// The release of the operating system and that of its kernel, as far as they are known.
    var system: [String] { get }
    /// The names of this machine in its networks.
    var hostNames: [String] { get }
    /// Whether the host's clock is synchronized, or `nil` if that is unknown.
    var clockIsSynchronized: Bool? { get }
}

/// An installed gpsd.
package struct InstalledGPSD: CustomStringConvertible, Hashable, Sendable {
    package var path: String
    /// The release from `gpsd -V`, or `nil` if it does not answer.
    package var release: String?
    /// Whether gpsd supports socket activation, according to `gpsd -h`.
    package var takesSockets = true

    package init(path: String, release: String? = nil, takesSockets: Bool = true) {
        self.path = path
        self.release = release
        self.takesSockets = takesSockets
    }

    /// The release and the path, as in `3.22 (/usr/sbin/gpsd)`.
    package var description: String { "\(release ?? "of an unknown release") (\(path))" }
}

/// A gpsd of the system that runs.
package struct RunningGPSD: Hashable, Sendable {
    /// The account that runs it.
    package var account: Account
    package var arguments: GPSDArguments

    package init(account: Account, arguments: GPSDArguments = GPSDArguments(commandLine: "gpsd")) {
        self.account = account
        self.arguments = arguments
    }

    /// The port at which it listens, unless systemd gives it another one.
    package var port: UInt16 { arguments.port ?? GPSDArguments.usualPort }
}

/// The state of a systemd unit.
package struct UnitState: Hashable, Sendable {
    /// The load state, such as `loaded`, `not-found` or `masked`.
    package var load = "loaded"
    /// The active state, such as `active`, `inactive` or `failed`.
    package var active = "inactive"

    package init(load: String = "loaded", active: String = "inactive") {
        self.load = load
        self.active = active
    }

    package var isThere: Bool { load == "loaded" || load == "masked" }
    package var isActive: Bool { active == "active" || active == "activating" }
}

extension ExaminedMachine {
    package var hasGPSD: Bool { gpsd != nil }
    package func exists(_ path: String) -> Bool { file(path) != nil }

    /// Returns the gpsd that listens at a port, of several that run.
    package func daemon(at port: String) -> RunningGPSD? { daemons.first { String($0.port) == port } }

    package func opens(_ path: String) -> Bool { file(path)?.isOpen(to: user) ?? false }

    /// Returns whether a path leads to a pseudo terminal, from which gpsd takes no time.
    package func isTerminal(_ path: String) -> Bool { resolved(path).hasPrefix("/dev/pts/") }
}

/// A user with the properties that determine access to files.
package struct Account: Hashable, Sendable {
    package var name: String
    package var id: UInt32
    /// The groups that are in effect.
    package var groups: [String]
    /// The groups that take effect at the next login.
    package var futureGroups: [String] = []

    package init(name: String, id: UInt32, groups: [String], futureGroups: [String] = []) {
        self.name = name
        self.id = id
        self.groups = groups
        self.futureGroups = futureGroups
    }

    package var isRoot: Bool { id == 0 }
}

/// The owner and permissions of a path.
package struct FileAccess: Hashable, Sendable {
    package var owner: String
    package var ownerID: UInt32
    package var group: String
    /// The twelve permission bits of the mode.
    package var mode: UInt32
    /// Whether the path is a character device, such as a serial line.
    package var isDevice = true

    package init(owner: String, ownerID: UInt32, group: String, mode: UInt32, isDevice: Bool = true) {
        self.owner = owner
        self.ownerID = ownerID
        self.group = group
        self.mode = mode
        self.isDevice = isDevice
    }

    /// Returns whether the permission bits allow an account to read and write the path.
    package func isOpen(to account: Account) -> Bool {
        if account.isRoot { return true }
        if account.id == ownerID { return mode & 0o600 == 0o600 }
        if account.groups.contains(group) { return mode & 0o060 == 0o060 }
        return mode & 0o006 == 0o006
    }

    /// Whether the group can read and write the path.
    package var isOpenToGroup: Bool { mode & 0o060 == 0o060 }

    /// The permissions in words, such as `root:dialout, mode 660`.
    package var words: String { "\(owner):\(group), mode \(String(mode & 0o7777, radix: 8))" }
}
