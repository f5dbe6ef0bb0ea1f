import LocwatchArguments
import LocwatchPlatform
import LocwatchTerminal

/// The options in a configuration file, one per line: a long name without its hyphens, and the value.
///
/// ```
/// # Where to publish
/// to mqtt://broker.example/owntracks/anna/boat
/// source /dev/ttyACM0
/// interval 10s # under way
/// utc
/// ```
///
/// Every command reads the same file, and passes over the options that it does not take.
struct ConfigurationFile {
    private(set) var lines: [ArgumentReader.Given] = []
    /// The SOURCE word, if the file has one.
    private(set) var source: (word: String, spelling: String)?

    /// Parses the text of a file.
    init(_ content: ConfigurationText, name: String, command: CommandName) throws(UsageError) {
        for (number, line) in content.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .enumerated()
        {
            let line = line.trimmed
            guard let first = line.first, first != "#" else { continue }
            let place = "\(name.printable), line \(number + 1)"
            try read(line, place, command, content.isTrusted)
        }
    }

    private mutating func read(
        _ line: Substring, _ place: String, _ command: CommandName, _ isTrusted: Bool
    ) throws(UsageError) {
        let end = line.firstIndex(where: \.isWhitespace) ?? line.endIndex
        let word = String(line[..<end])
        let name = word.hasPrefix("--") ? String(word.dropFirst(2)) : word
        let rest = Self.ofText.contains { $0.rawValue == name } ? line[end...].trimmed : Self.value(line[end...])
        let value = rest.isEmpty ? nil : String(rest)
        if name.contains("=") || rest.hasPrefix("=") {
            throw UsageError("\(place): write a space between an option and its value, and not =")
        }
        if name == "source" {
            guard let value else { throw UsageError("\(place): source needs a SOURCE") }
            source = (value, place)
            return
        }
        let known = OptionTable.all.filter { !Self.excluded.contains($0.name) }
        let former = FormerOption.named(name)
        guard let option = former?.entry ?? known.first(where: { $0.name.rawValue == name }) else {
            let meant = Spelling.nearest(to: name, among: ["source"] + known.map(\.name.rawValue))
            throw UsageError(
                "\(place): unknown option \"\(name.printable)\"" + (meant.map { "; did you mean \($0)?" } ?? ""))
        }
        guard (value == nil) == (option.form == nil) else {
            let fault = option.form.map { "needs a value: \($0.placeholder)" } ?? "takes no value"
            throw UsageError("\(place): \(name) \(fault)")
        }
        if !isTrusted, Self.needingTrust.contains(option.name) {
            throw UsageError(
                "\(place): \(name) is not read from a file that others can write or replace; only you and root may have the "
                    + "right to write it, and to write in its folder"
            )
        }
        let line = ArgumentReader.Given(option: option, spelling: "\(name) (\(place))", value: value, former: former)
        guard line.isTaken(by: command), !command.entry.optionsOfLine.contains(option.name) else { return }
        lines.append(line)
    }

    /// The options that only make sense on a command line.
    private static let excluded: [OptionName] = ["config", "no-config", "check", "help", "version"]
    /// The options with hooks or secrets.
    private static let needingTrust: [OptionName] = ["on", "header", "password-file", "token-file"]

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

/// The text of a configuration file, and whether only the user and root can have written what was read.
struct ConfigurationText {
    private static let sizeLimit = 65_536

    let text: String
    /// Whether hooks and secrets are read from it.
    let isTrusted: Bool

    init(_ text: String, isTrusted: Bool = true) { (self.text, self.isTrusted) = (text, isTrusted) }

    /// Reads a file, whose trust is that of the very file that is read.
    init(readingFrom path: String) throws(SystemFailure) {
        let file = try InputFile(path)
        isTrusted = file.isOfThisUser
        text = String(decoding: try file.read(limit: Self.sizeLimit), as: UTF8.self)
    }
}
