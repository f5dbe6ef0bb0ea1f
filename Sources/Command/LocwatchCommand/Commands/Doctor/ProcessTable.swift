import LocwatchPlatform
import LocwatchSession

/// The processes that run, as /proc lists them.
struct ProcessTable {
    /// The folder with a folder for each process.
    var root = "/proc"

    /// The gpsds of the system in the order of their numbers, without the private ones of locwatch, which have no port.
    var daemons: [RunningGPSD] {
        folders(of: "gpsd").compactMap { folder in
            // A process can end in the meantime; one that has ended, and whose parent has not noticed, has no words.
            guard let words = FileText.read("\(folder)/cmdline"), !words.isEmpty,
                let account = FileText.read("\(folder)/status").flatMap(AccountDatabase.account)
            else { return nil }
            let arguments = GPSDArguments(commandLine: words)
            return arguments.port == 0 ? nil : RunningGPSD(account: account, arguments: arguments)
        }
    }

    /// Returns when a program was started, in ticks since the machine started, or `nil` if it does not run.
    func started(_ program: String) -> UInt64? {
        folders(of: program).lazy.compactMap { FileText.read("\($0)/stat") }.first.flatMap(Self.start)
    }

    /// Returns the folders of the processes with a program's name, in the order of their numbers.
    private func folders(of program: String) -> [String] {
        FolderNames.list(root).compactMap { Int32($0) }.sorted().map { "\(root)/\($0)" }
            .filter { FileText.read("\($0)/comm") == program + "\n" }
    }

    /// Returns the start of a process from the text of its /proc/…/stat, where it is the 22nd field.
    private static func start(inStat text: String) -> UInt64? {
        // The second field is a name in parentheses, which can contain spaces and parentheses itself.
        guard let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[end...].split(separator: " ")
        return fields.count > 20 ? UInt64(fields[20]) : nil
    }
}
