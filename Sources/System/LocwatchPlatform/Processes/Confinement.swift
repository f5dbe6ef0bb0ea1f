import CLocwatchPlatform
import Glibc

/// The rights of a process that parses the bytes of others; the kernel denies it everything else.
///
/// Each value below is a rule; `ConfinementTables.h` has the files and the limits, and `CallTable.h` the system calls that belong to it.
/// A child that is confined can still read, write and compute with the descriptors that it was given.
package struct Confinement: Hashable, Sendable {
    private var purpose: Int
    private var programs: [String] = []
    private var device: String?
    private var readPaths: [String] = []
    private var writtenPaths: [String] = []
    private var writesDevice = false
    private var takesDatagrams = false
    private var connects: UInt16 = 0
    private var listens: UInt16 = 0
    /// The parts to apply if the kernel has them.
    package var parts = ConfinementParts.all
    /// Whether a system call that the rule does not mention ends the child by SIGSYS, which shows it in a test.
    package var trapsUnlisted = false

    private init(_ purpose: Int) { self.purpose = purpose }

    /// The rule of the programs that decompress: no file, no socket, no other process.
    package static let decoder = Confinement(LOCWATCH_DECODER)

    /// The rule of a gpsd that decodes a log from its standard input: that of a decoder, and the clients of its inherited sockets.
    package static let gpsdOfLog = Confinement(LOCWATCH_LOG_GPSD)

    /// The rule of a gpsd that reads a device, perhaps beside a pipe, which it opens for writing too, and has no
    /// network.
    package static func gpsd(line device: String, writes: Bool, pipe: String? = nil) -> Confinement {
        var rule = Confinement(LOCWATCH_GPSD)
        rule.device = device
        rule.writesDevice = writes
        rule.writtenPaths = pipe.map { [$0] } ?? []
        return rule
    }

    /// The rule of a gpsd that reads a TCP stream: connections to one port.
    package static func gpsd(connectingTo port: UInt16) -> Confinement {
        var rule = Confinement(LOCWATCH_GPSD)
        rule.connects = port
        return rule
    }

    /// The rule of a gpsd that receives datagrams: it can send none.
    package static let gpsdOfDatagrams = {
        var rule = Confinement(LOCWATCH_GPSD)
        rule.takesDatagrams = true
        return rule
    }()

    /// The needs of this process beside reading a file and printing.
    package struct Needs: OptionSet, Hashable, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }

        /// Connections to other machines, and from them.
        package static let connections = Needs(rawValue: LOCWATCH_CONNECTS)
        /// Decoders, such as the gpsd of a raw log, which inherit the rule beside their own.
        package static let decoders = Needs(rawValue: LOCWATCH_RUNS)
        /// Sockets of this machine, which services of names have.
        package static let localSockets = Needs(rawValue: LOCWATCH_LOCAL)
    }

    /// The rule of this process: it changes no mode, owner or time of any file, and reaches no other process.
    ///
    /// It reads `paths` beside the files of the system, starts `programs`, and writes in `folders`; of one that does
    /// not exist, and of a file, the folder around it counts, and a device or a pipe is written as it is.
    package static func own(
        _ needs: Needs, reading paths: [String] = [], writingIn folders: [String] = [], starting programs: [String] = []
    ) -> Confinement {
        var rule = Confinement(LOCWATCH_OWN | needs.rawValue | (folders.isEmpty ? 0 : LOCWATCH_WRITES))
        rule.readPaths = paths
        rule.writtenPaths = folders.flatMap(Self.writtenPlaces)
        rule.programs = needs.contains(.decoders) ? programs : []
        return rule
    }

    /// Returns the paths to allow so that a path can be written: the folder around it, and around the file to which it leads as a
    /// link, or a device or a pipe itself.
    private static func writtenPlaces(of path: String) -> [String] {
        var status = stat()
        if stat(path, &status) == 0, ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) { return [path] }
        return [path, WrittenFolder.resolved(path)].compactMap(\.self).map(WrittenFolder.nearest)
            .filter { !WrittenFolder.isOfSystem($0) }
    }

    /// The rule of a gpsd for other programs, which makes no shared memory; only for tests and simulations.
    package static let withoutSharedMemory = Confinement(LOCWATCH_OPEN_GPSD)

    /// Returns the rule with a TCP port of this machine at which the child may listen.
    package func listening(at port: UInt16) -> Confinement {
        var rule = self
        rule.listens = port
        return rule
    }

    /// Confines this process for good, which must have one thread only; returns the parts that the kernel has applied.
    package func apply() -> ConfinementParts {
        var applied: UInt32 = 0
        _ = withRequest { locwatch_confine($0, nil, &applied) }
        return ConfinementParts(rawValue: applied)
    }

    /// Calls `body` with the C form of the rule.
    func withRequest<Answer>(_ body: (UnsafePointer<locwatch_confinement>) -> Answer) -> Answer {
        CStrings.with(readPaths) { read in
            CStrings.with(writtenPaths) { written in
                CStrings.with(programs) { programs in
                    CStrings.with(device.map { [$0] } ?? []) { device in
                        var request = locwatch_confinement(
                            purpose: UInt32(purpose), parts: parts.rawValue, programs: programs,
                            device: UnsafePointer(device[0]), read: read, written: written,
                            writes_device: writesDevice ? 1 : 0, takes_datagrams: takesDatagrams ? 1 : 0,
                            connects: connects, listens: listens, traps_unlisted: trapsUnlisted ? 1 : 0)
                        return body(&request)
                    }
                }
            }
        }
    }
}

/// The parts of a confinement, which kernels have since different releases.
package struct ConfinementParts: OptionSet, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }
    private init(_ part: Int) { rawValue = UInt32(part) }

    /// The files that a child may open (Linux 5.13).
    package static let files = ConfinementParts(LOCWATCH_CONFINES_FILES)
    /// The devices that a child may command (Linux 6.10).
    package static let devices = ConfinementParts(LOCWATCH_CONFINES_DEVICES)
    /// The TCP ports that a child may use (Linux 6.7).
    package static let ports = ConfinementParts(LOCWATCH_CONFINES_PORTS)
    /// The processes that a child may signal (Linux 6.12); system calls confine that too.
    package static let signals = ConfinementParts(LOCWATCH_CONFINES_SIGNALS)
    /// The system calls of a child, on x86_64 and aarch64.
    package static let calls = ConfinementParts(LOCWATCH_CONFINES_CALLS)
    package static let all: ConfinementParts = [.files, .devices, .ports, .signals, .calls]

    /// The parts that this machine can apply.
    package static let available = ConfinementParts(rawValue: locwatch_confinement_parts())
}

extension ConfinementParts {
    /// The parts with their names, and what each needs.
    private static let names: [(part: ConfinementParts, name: String, need: String)] = [
        (.files, "files", "Linux 5.13 with Landlock"), (.devices, "device commands", "Linux 6.10"),
        (.ports, "TCP ports", "Linux 6.7"), (.signals, "signals", "Linux 6.12"),
        (.calls, "system calls", "seccomp on x86_64 or aarch64"),
    ]

    /// The names of the parts, such as `files, TCP ports`.
    package var description: String { Self.names.filter { contains($0.part) }.map(\.name).joined(separator: ", ") }

    /// The parts of a full confinement that are not in this one with what they need, or `nil` if there are none.
    package var missing: String? {
        let parts = Self.names.filter { !contains($0.part) }
        return parts.isEmpty ? nil : parts.map { "\($0.name) (\($0.need))" }.joined(separator: ", ")
    }
}
