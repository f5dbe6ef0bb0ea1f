import LocwatchArguments
import LocwatchPlatform
import LocwatchTerminal

/// The options in a configuration file, one per line: a long name without its hyphens, and the value.
///
/// ```
/// # Where to publish
/// to mqtt://broker.example/owntracks/anna/boat
/// source /dev/ttyACM0
/// utc
///
/// [export]
/// interval 10s # under way
/// ```
///
/// Every command reads the lines above the first section, and passes over the options that it does not take. Those of a section are for
/// one command, which must take them.
struct ConfigurationFile {
    private(set) var lines: [ArgumentReader.Given] = []
    /// The SOURCE word, if the file has one.
    private(set) var source: (word: String, spelling: String)?

    /// The command that reads the file.
    private let command: CommandName
    /// The command of the section that is being read, or `nil` above the first one.
    private var section: CommandName?

    /// Parses the text of a file for a command.
    init(_ text: String, name: String, command: CommandName) throws(UsageError) {
        self.command = command
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = line.trimmed
            guard let first = line.first, first != "#" else { continue }
            do throws(UsageError) {
                if first == "[" { section = try Self.section(line) } else { try read(line, name, number + 1) }
            } catch {
                throw UsageError(configuration: "\(name.printable), line \(number + 1): \(error.message)")
            }
        }
    }

    /// Returns the command that a line such as `[export]` names.
    private static func section(_ line: Substring) throws(UsageError) -> CommandName {
        let line = value(line)
        guard line.last == "]" else {
            throw UsageError("a section is the name of a command in brackets, as in [export]")
        }
        let name = String(line.dropFirst().dropLast().trimmed)
        if let command = CommandName(rawValue: name) { return command }
        let meant = Spelling.nearest(to: name, among: CommandName.allCases.map(\.rawValue))
        throw UsageError(
            "a section is the name of a command, and \"\(name.printable)\" is none"
                + (meant.map { "; did you mean [\($0)]?" } ?? ""))
    }

    private mutating func read(_ line: Substring, _ file: String, _ number: Int) throws(UsageError) {
        let end = line.firstIndex(where: \.isWhitespace) ?? line.endIndex
        let word = String(line[..<end])
        let name = word.hasPrefix("--") ? String(word.dropFirst(2)) : word
        let rest = Self.ofText.contains { $0.rawValue == name } ? line[end...].trimmed : Self.value(line[end...])
        let value = rest.isEmpty ? nil : String(rest)
        if name.contains("=") || rest.hasPrefix("=") {
            throw UsageError("write a space between an option and its value, and not =")
        }
        let isRead = section == nil || section == command
        let place = "\(file.printable), line \(number)"
        if name == "source" {
            guard let value else { throw UsageError("source needs a SOURCE") }
            if let section, !section.entry.operands.contains(where: \.kind.takesSource) {
                throw UsageError("\(section) takes no SOURCE")
            }
            if isRead { source = (value, place) }
            return
        }
        let former = FormerOption.named(name)
        guard let option = former?.entry ?? Self.known.first(where: { $0.name.rawValue == name }) else {
            let meant = Spelling.nearest(to: name, among: ["source"] + Self.known.map(\.name.rawValue))
            throw UsageError("unknown option \"\(name.printable)\"" + (meant.map { "; did you mean \($0)?" } ?? ""))
        }
        guard (value == nil) == (option.form == nil) else {
            throw UsageError("\(name) " + (option.form.map { "needs a value: \($0.placeholder)" } ?? "takes no value"))
        }
        let given = ArgumentReader.Given(
            option: option, spelling: "\(name) (\(place))", value: value, isOfFile: true, former: former)
        if let section, !given.isTaken(by: section) {
            throw UsageError(
                "\(section) does not take \(name); it is an option of \(EnglishList.and(given.commands.map(\.rawValue)))"
            )
        }
        // What is the work of another command now is asked for on the command line only.
        guard isRead, given.isTaken(by: command), former?.newCommand == nil else { return }
        if section == nil, command.entry.optionsOfSection.contains(option.name) { return }
        lines.append(given)
    }

    private static let known = OptionTable.all.filter { !excluded.contains($0.name) }
    /// The options that only make sense on a command line.
    private static let excluded: [OptionName] = ["config", "no-config", "check", "help", "version"]

    /// The options whose value is any text, also one with a number sign.
    private static let ofText: [OptionName] = ["on", "format", "header", "body"]

    /// Returns a value without the comment that follows it after a number sign between spaces.
    private static func value(_ text: Substring) -> Substring {
        let words = text.split(omittingEmptySubsequences: false, whereSeparator: \.isWhitespace)
        guard let comment = words.first(where: { $0 == "#" }) else { return text.trimmed }
        return text[..<comment.startIndex].trimmed
    }
}

extension CommandName {
    /// Returns whether the command reads the configuration, whose mistakes must not keep anybody from the help.
    func readsConfiguration(_ given: [ArgumentReader.Given]) -> Bool {
        switch self {
        case HelpCommand.entry.name, CompletionsCommand.entry.name: false
        case VersionCommand.entry.name: given.contains { $0.option.name == "verbose" }
        default: true
        }
    }
}

/// The file with the options of every command, and whether it was asked for.
struct ConfigurationPlace: Hashable {
    let path: String
    /// Whether the file must exist, because an option or a variable names it.
    let isNamed: Bool

    /// Finds the file that an option or a variable names, or else the user's own; `nil` with `--no-config`.
    init?(_ given: [ArgumentReader.Given], _ environment: [String: String]) {
        let last = given.last { $0.option.name == "config" || $0.option.name == "no-config" }
        if last?.option.name == "no-config" { return nil }
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        if let named = last?.value ?? value("LOCWATCH_CONFIG") {
            (path, isNamed) = (named, true)
            return
        }
        // A relative path is invalid, as the specification of the folders says.
        let folder = value("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        guard let folder = folder ?? value("HOME").map({ "\($0)/.config" }) else { return nil }
        (path, isNamed) = ("\(folder)/locwatch/config", false)
    }
}

/// The text of a configuration file, and why it is refused, if it is.
struct ConfigurationText {
    private static let sizeLimit = 65_536

    let text: String
    /// The reason for which the file is not used, with its path.
    let refusal: String?

    init(_ text: String, refusal: String? = nil) { (self.text, self.refusal) = (text, refusal) }

    /// Reads a file, or refuses it if a user other than this one and root can have written it.
    init(readingFrom path: String) throws(SystemFailure) {
        let file = try InputFile(path)
        if let writer = file.otherWriter {
            self.init("", refusal: Self.refusal(writer, path))
            return
        }
        let bytes = try file.read(limit: Self.sizeLimit + 1)
        self.init(
            String(decoding: bytes, as: UTF8.self),
            refusal: bytes.count > Self.sizeLimit ? "\(path) has more than 64 kB" : nil)
    }

    private static func refusal(_ writer: InputFile.OtherWriter, _ path: String) -> String {
        switch writer {
        case .owner: "\(path) belongs to another user, and only you and root may write your configuration"
        case .rights: "other users can write \(path): run chmod go-w on it"
        case .folder: "other users can replace \(path): only you and root may have the right to write in its folder"
        }
    }
}
