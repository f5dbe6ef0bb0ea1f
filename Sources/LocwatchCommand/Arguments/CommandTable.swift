/// What each command is for; the options are in `OptionTable`.
enum CommandTable {
    static let all: [CommandEntry] = CommandName.allCases.map { entry(of: $0) }

    private static let source = CommandEntry.Operand(placeholder: "SOURCE", isRequired: false, completion: .source)

    private static func required(_ placeholder: String, _ completion: ValueCompletion) -> CommandEntry.Operand {
        CommandEntry.Operand(placeholder: placeholder, isRequired: true, completion: completion)
    }

    static func entry(of name: CommandName) -> CommandEntry {
        switch name {
        case .watch: watch
        case .once: once
        case .record: record
        case .export: export
        case .stats: stats
        case .devices: devices
        case .doctor: doctor
        case .serve: serve
        case .completions: completions
        case .help: help
        case .version: version
        }
    }

    private static let watch = CommandEntry(
        name: .watch, operands: [source], summary: "follow the position (the default command)",
        description: [
            "Prints a line for each position and for each change of state: searching, found, error. It goes on after "
                + "errors and reconnects by itself until it is interrupted or a limit is reached."
        ],
        examples: [
            .init(line: "locwatch", explanation: "follow the position that the local gpsd tells"),
            .init(line: "locwatch -j | jq 'select(.event==\"location\")'", explanation: "the same for a script"),
            .init(line: "locwatch -f '%{clock} %{lat} %{lon}'", explanation: "in a form of your own"),
            .init(line: "locwatch -s pi.local", explanation: "only changes of state, from another machine"),
            .init(line: "locwatch --fence home=45.0703,7.6869,150", explanation: "tell when you come home"),
            .init(line: "locwatch sim:tunnel", explanation: "try it without a receiver"),
        ])

    private static let once = CommandEntry(
        name: .once, operands: [source], summary: "print one position that is good enough, then exit",
        description: [
            "Waits for the first position that is as accurate, as fresh and of as many dimensions as asked for. When "
                + "there is none in time, the exit code tells why, and standard error what was missing."
        ],
        examples: [
            .init(line: "locwatch once", explanation: "where is this machine?"),
            .init(line: "locwatch once -a 10 -t 30s", explanation: "to 10 m, and give up after 30 s"),
            .init(line: "locwatch once -f 'geo:%{lat},%{lon}'", explanation: "as a link that map programs open"),
        ])

    private static let record = CommandEntry(
        name: .record, operands: [required("FILE", .file), source],
        summary: "write a session to a file that can be replayed",
        description: [
            "Writes every line of gpsd as it came, and when it came. FILE is - for standard output. An existing file "
                + "is left alone unless --force is given."
        ],
        examples: [
            .init(line: "locwatch record drive.json", explanation: "record until Ctrl-C"),
            .init(line: "locwatch record -x 10m drive.json pi.local", explanation: "ten minutes of another machine"),
            .init(line: "locwatch drive.json", explanation: "play it"),
        ])

    private static let export = CommandEntry(
        name: .export, operands: [required("FORMAT", .words(ExportFormat.allCases.map(\.rawValue))), source],
        summary: "write a session as GPX, GeoJSON, KML, CSV, NMEA or gpsd JSON",
        description: [
            "Converts a recording, or logs a running session. FORMAT is "
                + EnglishList.or(ExportFormat.allCases.map(\.rawValue)) + ".",
            "A log is whole after every position, however locwatch ends, and one that is there already is gone on with in "
                + "a new segment. A recording's file appears when it is whole; one that is there already is left alone "
                + "unless --force is given.",
            "A session that ends without a position gives an empty track and exit code 75.",
        ],
        examples: [
            .init(line: "locwatch export gpx drive.json -o drive.gpx", explanation: "convert a recording"),
            .init(line: "locwatch export gpx -o '%Y-%m-%d.gpx' --rotate 24h", explanation: "log, a file a day"),
            .init(line: "locwatch export csv drive.json | head", explanation: "look at the numbers"),
        ])

    private static let stats = CommandEntry(
        name: .stats, operands: [source], summary: "show a session in figures",
        description: [
            "Time to first fix, availability, gaps, accuracy, scatter (CEP50, CEP95), satellites, distance. On a "
                + "terminal the figures of a running session are shown anew every second; elsewhere, and with --json, "
                + "they come once, at its end.",
            "A PNG is made by rsvg-convert, of the package librsvg2-bin. A picture that is there already is replaced.",
        ],
        examples: [
            .init(line: "locwatch stats drive.json", explanation: "figures of a recording"),
            .init(line: "locwatch stats -x 10m", explanation: "figures of the next ten minutes"),
            .init(line: "locwatch stats --plot=drive.svg drive.json", explanation: "and a picture"),
        ])

    private static let devices = CommandEntry(
        name: .devices, operands: [source], summary: "list the receivers that the daemon knows",
        description: ["Path, driver, speed, and what each receiver is doing now."],
        examples: [
            .init(line: "locwatch devices", explanation: "list them"),
            .init(line: "locwatch devices --watch", explanation: "follow plugging and unplugging"),
        ])

    private static let doctor = CommandEntry(
        name: .doctor, operands: [source], summary: "find out why there is no fix, and what to do",
        description: [
            "Checks the daemon, the receivers, the signals and the clock in turn, without changing anything, and says "
                + "what to do about the first thing that is wrong. The exit code tells it too."
        ],
        examples: [
            .init(line: "locwatch doctor", explanation: "why is there no fix?"),
            .init(line: "locwatch doctor pi.local", explanation: "on another machine"),
        ])

    private static let serve = CommandEntry(
        name: .serve, operands: [required("FILE", .source)],
        summary: "play a recording to any gpsd client, as a gpsd would",
        description: [
            "Listens on this machine only, unless another address is given. FILE is a recording, - for standard input, "
                + "or a simulated receiver such as sim:walk."
        ],
        examples: [
            .init(line: "locwatch serve drive.json", explanation: "play it on port 2947"),
            .init(
                line: "locwatch serve --loop --redate --port 2948 drive.json", explanation: "again and again, as now"),
            .init(line: "cgps localhost:2948", explanation: "look at it with another client"),
        ])

    private static let completions = CommandEntry(
        name: .completions, operands: [required("SHELL", .words(Shell.allCases.map(\.rawValue)))],
        summary: "print a completion script for bash, zsh or fish",
        description: [],
        examples: [
            .init(
                line: "locwatch completions bash >~/.local/share/bash-completion/completions/locwatch",
                explanation: "bash"),
            .init(line: "locwatch completions zsh >~/.zfunc/_locwatch", explanation: "zsh, with ~/.zfunc in fpath"),
            .init(line: "locwatch completions fish >~/.config/fish/completions/locwatch.fish", explanation: "fish"),
        ])

    private static let help = CommandEntry(
        name: .help,
        operands: [.init(placeholder: "TOPIC", isRequired: false, completion: .words(HelpTopic.words))],
        summary: "tell about a command, the template names, the JSON schema",
        description: [
            "TOPIC is a command, or template (the names that --format knows), schema (the JSON Schema of --json), or "
                + "manual (the manual page, for man -l -)."
        ],
        examples: [
            .init(line: "locwatch help once", explanation: "about a command"),
            .init(line: "locwatch help schema", explanation: "what --json prints, as a JSON Schema"),
            .init(line: "locwatch help manual | man -l -", explanation: "the manual page"),
        ])

    private static let version = CommandEntry(
        name: .version, operands: [], summary: "print the version",
        description: [],
        examples: [.init(line: "locwatch version", explanation: "which locwatch is this?")])
}
