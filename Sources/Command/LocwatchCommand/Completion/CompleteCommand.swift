import LocwatchArguments
import LocwatchPlatform
import LocwatchSession
import LocwatchTerminal

/// The command `__complete SHELL LINE [WORD]`, through which the completion scripts ask what can follow at a Tab.
///
/// It is for the scripts, so it is not in `CommandTable`, and neither the help nor the manual page shows it. A release before it
/// takes its words for too many operands, and prints nothing on standard output. It reads no configuration, and of the system
/// only the names in `/dev`.
///
/// LINE is the command up to the cursor, with the quotation marks of the shell, and WORD is its end that bash will replace; bash
/// ends a word at a colon and at an equals sign too. The answer has these lines:
///
/// - The beginning of the unfinished word that stays, which all that follows extends.
/// - Each word that can follow. zsh and fish get all of them, because they match words in their own ways, with a tab and a
///   description; bash gets those that match, quoted.
/// - A tab, then what the shell adds itself: `file`, also with endings, as in `file .gpx|.json`, `directory`, `hostname` or
///   `command`, which are the actions of `compgen` in bash. zsh also gets `message` with the placeholder of a value.
enum CompleteCommand {
    static let name = "__complete"

    static func run(_ arguments: ArraySlice<String>, _ context: CommandContext) -> ExitCode {
        let words = Array(arguments)
        guard (2...3).contains(words.count), let shell = Shell(rawValue: words[0]) else { return .usage }
        let text = answer(shell, words[1], end: words.count == 3 ? words[2] : "", devices: { devices(in: "/dev") })
        do throws(OutputFailure) { try context.console.print(text) } catch { return .writingFailed }
        return .done
    }

    /// Returns the answer to a shell.
    ///
    /// - Parameter end: The end of the line that bash will replace.
    static func answer(_ shell: Shell, _ line: String, end: String = "", devices: @escaping () -> [String]) -> String {
        guard let unfinished = CompletionLine(line) else { return "" }
        let completion = Completion(of: unfinished, devices: devices)
        var kept = completion.prefix
        // The beginning of the word that bash leaves as it is.
        var head = ""
        if shell == .bash {
            guard line.utf8.count >= end.utf8.count, line.hasSuffix(end) else { return "" }
            let before = String(decoding: line.utf8.dropLast(end.utf8.count), as: UTF8.self)
            head = CompletionLine.words(before)?.last ?? ""
            guard unfinished.word.utf8.starts(with: head.utf8) else { return "" }
            if head.utf8.count > kept.utf8.count { kept = head }
        }
        guard kept.printable == kept else { return "" }
        var lines = [kept.dropping(head)]
        for (word, meaning) in completion.words {
            let whole = completion.prefix + word
            // A name on the line can contain anything.
            guard whole.printable == whole, whole.utf8.count > kept.utf8.count else { continue }
            if shell == .bash {
                guard whole.utf8.starts(with: unfinished.word.utf8) else { continue }
                lines.append(quoted(whole.dropping(kept)))
            } else {
                lines.append(word + (meaning.isEmpty ? "" : "\t\(meaning)"))
            }
        }
        for request in completion.requests where kept == completion.prefix {
            if shell == .zsh || !request.hasPrefix("message ") { lines.append("\t\(request)") }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    static func devices(in folder: String) -> [String] {
        let prefixes = ["gps", "ttyACM", "ttyUSB", "ttyAMA", "ttyTHS", "ttymxc", "rfcomm"]
        let names = FolderNames.list(folder).filter { name in prefixes.contains { name.hasPrefix($0) } }
        return (FolderNames.list("\(folder)/serial/by-id").map { "serial/by-id/\($0)" } + names).map {
            "\(folder)/\($0)"
        }
    }

    /// Returns a word that bash reads as it is, also within quotation marks that are open.
    private static func quoted(_ word: String) -> String {
        var bytes: [UInt8] = []
        for byte in word.utf8 {
            if byte < 0x80, !ShellWords.isPlain(byte) { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension String {
    /// Returns the text without a beginning, which it has.
    fileprivate func dropping(_ beginning: String) -> String {
        String(decoding: utf8.dropFirst(beginning.utf8.count), as: UTF8.self)
    }
}
