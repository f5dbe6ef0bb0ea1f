import LocwatchPrinting
import LocwatchSession
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchCommand

/// Tests of each option above the sections, in a section, and on the line.
extension ConfigurationFileTests {
    private static let sources = [
        "pi", "/dev/ttyACM0", "tcp://pi:10110", "drive.json", "drive.json.gz", "raw:drive.ubx", "drive.gpx", "sim:walk",
        "mqtt://broker/#",
    ]

    /// Values of which each option takes at least one.
    private static let values = [
        "p.svg", "10s", "10", "3d", "metric", "1x", "lat,lon", "GGA", "text", "home=45,7,9", "45,7",
        "found=true", "A:b", "never", "day", "udp://127.0.0.1:1", "192.0.2.7", "https://h/{z}/{x}/{y}.png", "64MiB",
        "silence", "2026-11-20T09:00:21Z",
    ]

    /// Returns a command line with a source, if the command takes one.
    private static func line(_ command: CommandEntry, _ source: String) -> String {
        let words = command.operands.map { operand in
            switch operand.kind {
            case .source, .requiredSource, .sourceOrTarget: source
            case .target: "udp://127.0.0.1:1"
            case .words: "2026-11-10T00:00:00Z"
            case .word, .rest, .optionalWord:
                if case .words(let known) = operand.completion { known.first ?? "x" } else { "x.json" }
            }
        }
        return ([command.name.rawValue] + words).joined(separator: " ")
    }

    @Test(arguments: sources)
    func
        `an option above the sections and in its section gives what it gives on the line, and nothing where it is a mistake there`(
            source: String
        ) throws
    {
        var (equal, mistaken) = (0, 0)
        for command in CommandTable.all.map({ $0.entry }) where command.name.readsConfiguration([]) {
            let line = Self.line(command, source)
            guard let bare = try? settings(line, "", [:]) else { continue }
            for option in OptionTable.all where option.isTaken(by: command.name) && !option.isForEveryCommand {
                if option.name == "check" { continue }
                var scratch = Settings()
                let value = option.form == nil ? nil : Self.values.first { (try? option.apply($0, &scratch)) != nil }
                try #require(option.form == nil || value != nil, "\(option.long)")
                let word = option.long + (value.map { "=\($0)" } ?? "")
                let (name, rest) = (command.name.rawValue, line.dropFirst(command.name.rawValue.count))
                let alone = try? settings("\(name) \(word)\(rest)", "", [:])
                let words = "\(option.name.rawValue) \(value ?? "")"
                for (text, isSection) in [(words, false), ("[\(name)]\n\(words)", true)] {
                    var ofFile = try settings(line, text)
                    ofFile.configuration = nil
                    // A pace of the file runs no hooks over a recording.
                    ofFile.reactions.runsHooksOnReplay = alone?.reactions.runsHooksOnReplay ?? false
                    let fits = alone != nil && (isSection || !command.optionsOfSection.contains(option.name))
                    #expect(ofFile == (fits ? alone : bare), "\(line), \(text)")
                    if fits { equal += 1 } else { mistaken += 1 }
                }
            }
        }
        #expect(equal > 100 && mistaken > 3)
    }

    @Test func `an option of another command in a section, and an unknown one anywhere, is an error with its line`()
        throws
    {
        var foreign = 0
        for command in CommandTable.all.map({ $0.entry }) {
            let name = command.name
            #expect(fault("utc\nno-such-option 1")?.hasPrefix("boat.conf, line 2: unknown option") == true)
            #expect(fault("[\(name)]\nno-such-option 1")?.hasPrefix("boat.conf, line 2: unknown option") == true)
            for option in OptionTable.all where !option.isTaken(by: name) {
                if option.name == "check" { continue }
                let text = "utc\n[\(name)]\n\(option.name.rawValue)\(option.form == nil ? "" : " x")"
                let expected = "boat.conf, line 3: \(name) does not take \(option.name.rawValue); it is an option of "
                #expect(fault(text)?.hasPrefix(expected) == true, "\(fault(text) ?? "")")
                foreign += 1
            }
        }
        #expect(foreign > 500)
    }
}
