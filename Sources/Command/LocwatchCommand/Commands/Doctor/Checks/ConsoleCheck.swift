import LocationCore
import LocwatchArguments
import LocwatchSession
import LocwatchTerminal

/// The check that neither the kernel's console nor a login prompt is on the line of a receiver.
enum ConsoleCheck {
    /// The files with the kernel's command line on a Raspberry Pi.
    private static let commandLines = ["/boot/firmware/cmdline.txt", "/boot/cmdline.txt"]
    private static let pins = "/dev/serial0"

    static func examine(_ observation: Observation, _ machine: any ExaminedMachine) -> Finding {
        guard observation.isHere else { return .moot }
        let paths = observation.source.serialPath.map { [$0] } ?? observation.devices.map(\.path)
        return paths.lazy.filter { $0.hasPrefix("/dev/") }.compactMap { finding(at: $0, machine) }.first ?? .moot
    }

    private static func finding(at path: String, _ machine: any ExaminedMachine) -> Finding? {
        let line = machine.resolved(path)
        let unit = "serial-getty@\(line.dropFirst("/dev/".count)).service"
        let hasPrompt = machine.unit(unit)?.isActive == true
        let hasConsole = consoles(machine.text("/proc/cmdline")).contains { leads($0, to: line, machine) }
        guard hasPrompt || hasConsole else { return nil }
        let remedy =
            (hasPrompt ? ["sudo systemctl disable --now \(ShellWords.quoted(unit))"] : [])
            + (hasConsole ? [removal(of: line, machine)] : []) + name(of: path, line, machine)
        guard hasPrompt else {
            return .remark(
                "the kernel's console is on \(path)",
                why: "the receiver gets the kernel's messages, and systemd can start a login prompt on its line",
                remedy: remedy)
        }
        return .fault(
            .unavailable, "a login prompt runs on \(path)",
            why: "it reads what the receiver sends, and answers it", remedy: remedy)
    }

    /// Returns the names of the consoles in a command line of the kernel.
    private static func consoles(_ text: String?) -> [(word: Substring, name: Substring)] {
        (text ?? "").split(whereSeparator: \.isWhitespace).filter { $0.hasPrefix("console=") }.map { word in
            (word, word.dropFirst("console=".count).prefix { $0 != "," })
        }
    }

    private static func leads(
        _ console: (word: Substring, name: Substring), to line: String, _ machine: any ExaminedMachine
    ) -> Bool {
        machine.resolved("/dev/\(console.name)") == line
    }

    private static func removal(of line: String, _ machine: any ExaminedMachine) -> String {
        for file in commandLines {
            // The firmware of a Raspberry Pi puts the name of the line in the place of serial0.
            if let console = consoles(machine.text(file)).first(where: { leads($0, to: line, machine) }) {
                return "remove \(console.word) from \(file), and restart the machine"
            }
        }
        let word = consoles(machine.text("/proc/cmdline")).first { leads($0, to: line, machine) }?.word ?? ""
        return "remove \(word) from /etc/default/grub, then: sudo update-grub, and restart the machine"
    }

    /// Returns the advice to use the name of the pins of a Raspberry Pi, which leads to one or another line by its model.
    private static func name(of path: String, _ line: String, _ machine: any ExaminedMachine) -> [String] {
        guard path != pins, machine.exists(pins), machine.resolved(pins) == line else { return [] }
        return ["use \(pins), the name of this line on every Raspberry Pi: locwatch \(pins)"]
    }

    /// Returns the advice to read the pins of a Raspberry Pi, if a path is another line.
    static func pins(insteadOf path: String, _ machine: any ExaminedMachine) -> String? {
        guard machine.exists(pins), machine.resolved(pins) != machine.resolved(path) else { return nil }
        return "if it is at the pins of this Raspberry Pi, they are another line: locwatch doctor \(pins)"
    }
}
