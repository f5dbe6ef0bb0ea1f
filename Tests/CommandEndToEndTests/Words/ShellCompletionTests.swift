import Foundation
import TestSupport
import Testing

/// Completions in real shells, whose scripts ask the program at each Tab.
@Suite(.serialized, .withFew, .onlyInMakeTest) struct ShellCompletionTests {
    /// A typed line, and the last words that must be offered, a folder without its slash.
    static let lines: [(line: String, offered: Set<String>, isAll: Bool)] = [
        ("once --f", ["--fence", "--format", "--fix"], true), ("--units=im", ["--units=imperial"], true),
        ("export -odri", ["-odrive.json"], true), ("record my", ["my file.json"], true),
        ("monitor pi.ex", ["pi.example"], true),
        ("stats --plot-file p", ["plot.svg", "plots"], true),
        ("stats --plot dri", ["drive.json"], false), ("once sim:w", ["sim:walk"], true),
        ("publish --queue pl", ["plots"], true),
        ("--on e", ["error=", "enter=", "enter:", "exit=", "exit:", "every="], true),
        ("--on=fo", ["--on=found="], true),
        ("--fence home=45,7,9 --on enter:h", ["enter:home="], true),
        ("--on found=notify-locwatch-t", ["found=notify-locwatch-test"], true),
        ("--fence=home=45,7,9 --on enter:home=notify-locwatch-t", ["enter:home=notify-locwatch-test"], true),
    ]

    /// Hostile names of fences, as they are typed in single quotes.
    static let names = [
        "a`touch ran`", "$(touch ran)", "a;touch ran;", "a\"b", "a b", "a\\b", "*", "~", "a&touch ran&", "-a", "a%sb",
        "ä",
    ]

    @Test(arguments: lines)
    func `bash offers the matching words`(line: String, offered: Set<String>, isAll: Bool) throws {
        let tool = try Trial().bash(line)
        let kept = Self.kept(of: line)
        // bash inserts all words, of which only the first has the beginning of the typed word.
        let words = tool.dropFirst(line.split(separator: " ").count - (line.hasSuffix(" ") ? 0 : 1))
        let answers = words.enumerated().map { $0.offset == 0 ? $0.element : kept + $0.element }
        check(Set(answers), offered, isAll)
    }

    @Test(arguments: lines)
    func `fish offers the matching words`(line: String, offered: Set<String>, isAll: Bool) throws {
        let words = try Trial().fish(line).map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
        check(Set(words), offered, isAll)
    }

    @Test(arguments: lines)
    func `zsh offers the matching words`(line: String, offered: Set<String>, isAll: Bool) throws {
        if isAll, offered.count == 1, let word = offered.first {
            let output = try Trial().zsh(line)
            #expect(output.contains("<\(word)>"), "\(output)")
        } else {
            // A list has the part of the word that follows.
            let words = offered.map { String($0.dropFirst(Self.kept(of: line).count)) }
            let output = try Trial().zsh(line, lists: words)
            for word in words { #expect(output.contains(word)) }
        }
    }

    @Test func `commands come before files and hosts if nothing is typed yet`() throws {
        let help = try Trial().bash("help ").dropFirst()
        let commands = Array(help.prefix { $0 != "sources" })
        #expect(commands.first == "watch" && commands.last == "version")
        for words in [try Trial().bash(""), try Trial().fish("")] {
            #expect(words.prefix(commands.count) == commands[...])
            #expect(words.contains("drive.json") && words.contains("sim:walk"))
        }
    }

    @Test(arguments: names)
    func `the name of a fence is completed as it is, and nothing in it is executed`(name: String) throws {
        let line = "--fence '\(name)=1,2,3' --on enter:"
        let trial = try Trial()
        #expect(try trial.bash(line).last == "enter:\(name)=")
        #expect(try trial.fish(line) == ["enter:\(name)="])
        let output = try trial.zsh(line)
        #expect(output.contains("<enter:\(name)=>"), "\(output)")
        #expect(!FileManager.default.fileExists(atPath: trial.scratch.path("ran")))
    }

    /// A release before the command for completions takes its words for too many.
    @Test(arguments: ["", "#!/bin/sh\necho 'locwatch: unexpected argument' >&2; exit 64\n"])
    func `nothing is offered by a program that is missing or older`(program: String) throws {
        let trial = try Trial(program: program)
        for line in ["--un", "exp", "dri"] {
            #expect(try trial.bash(line) == [line])
            #expect(try trial.fish(line) == [])
            let output = try trial.zsh(line)
            #expect(output.contains("<\(line)>") && !output.contains("unexpected"), "\(output)")
        }
    }

    /// All users can read the arguments of a process, but not its variables.
    @Test func `a password in a variable before the command is not in the question`() throws {
        let trial = try Trial(before: "LOCWATCH_PASSWORD=secret ", program: "#!/bin/sh\nprintf '%s|' \"$@\" >asked\n")
        let asking = [{ _ = try trial.bash("-j") }, { _ = try trial.fish("-j") }, { _ = try trial.zsh("-j") }]
        for ask in asking {
            try ask()
            #expect(try trial.scratch.text("asked").contains("|locwatch -j|"))
        }
    }

    /// Returns the beginning of the last word up to a colon or an equals sign.
    private static func kept(of line: String) -> Substring {
        let last = line.split(separator: " ", omittingEmptySubsequences: false).last ?? ""
        return last.lastIndex { ":=".contains($0) }.map { last[...$0] } ?? ""
    }

    private func check(_ answers: Set<String>, _ offered: Set<String>, _ isAll: Bool) {
        if isAll { #expect(answers == offered) } else { #expect(answers.isSuperset(of: offered), "\(answers)") }
    }
}

/// A folder with the scripts, a program in its `PATH`, and files, in which shells run.
private struct Trial {
    /// The list that zsh makes of its completions, in a second of a processor, and makes again if one is new.
    private static let completions = URL(filePath: Locwatch.program).deletingLastPathComponent()
        .appending(path: "zsh-completions")

    let scratch: Scratch
    private let before: String

    /// - Parameters:
    ///   - before: The text before the command on each line.
    ///   - program: The text of a program in place of `locwatch`, which is missing if the text is empty.
    init(before: String = "", program: String? = nil) throws {
        self.before = before
        scratch = try Scratch()
        let files = FileManager.default
        for folder in ["bin", "plots", ".ssh"] {
            try files.createDirectory(at: scratch.url.appending(path: folder), withIntermediateDirectories: true)
        }
        for (shell, name) in [("bash", "locwatch.bash"), ("zsh", "_locwatch"), ("fish", "locwatch.fish")] {
            try scratch.write(try Tool(Locwatch.program, ["completions", shell]).output, to: name)
        }
        for name in ["drive.json", "my file.json", "plot.svg", "plot.txt"] { try scratch.write("{}\n", to: name) }
        // The hosts that bash, and the other shells, offer.
        try scratch.write("127.0.0.1 pi.example\n", to: "hosts")
        try scratch.write("pi.example ssh-ed25519 AAAA\n", to: ".ssh/known_hosts")
        chmod(try scratch.write("#!/bin/sh\n", to: "bin/notify-locwatch-test").path, 0o755)
        if program == nil {
            try files.createSymbolicLink(atPath: scratch.path("bin/locwatch"), withDestinationPath: Locwatch.program)
        } else if let program, !program.isEmpty {
            chmod(try scratch.write(program, to: "bin/locwatch").path, 0o755)
        }
    }

    /// Returns the arguments of the program after all words have been inserted that bash offers.
    func bash(_ line: String) throws -> [String] {
        try scratch.write(
            """
            source ./locwatch.bash
            PS1='> '
            bind '"\\t": insert-completions'
            locwatch() { printf '%s\\n' "$@" >words; }
            """, to: "bashrc")
        _ = try run("bash", ["--rcfile", "bashrc", "-i"], input: "\(before)locwatch \(line)\t\n")
        return try scratch.text("words").split(separator: "\n").map(String.init)
    }

    /// Returns the words that fish offers.
    func fish(_ line: String) throws -> [String] {
        let tool = try run(
            "fish", ["--no-config", "-c", "source ./locwatch.fish; complete -C $argv[1]", "\(before)locwatch \(line)"])
        #expect(tool.errors == "")
        return tool.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
    }

    /// Returns the output of zsh: the arguments of the program after Tab, each in angle brackets, or the list of `words`.
    func zsh(_ line: String, lists words: [String] = []) throws -> String {
        let script = """
            zmodload zsh/zpty
            zpty z zsh -f -i
            zpty -w z "fpath=($PWD \\$fpath); autoload -Uz compinit; compinit -u -d \\$COMPLETIONS; PS1='> '; stty cols 200"
            zpty -w z "locwatch() { print -rn -- RA''N; printf '<%s>' \\"\\$@\\"; print -r -- EN''D; }"
            # List instead of complete, because a completed line is redrawn in pieces.
            (( $# > 1 )) && zpty -w z "bindkey '^I' list-choices"
            zpty -w z "setopt no_beep; print -n REA; print DY"
            # A key that is typed before the line editor runs can be lost; it begins with this sequence.
            zpty -r z out $'*READY*\\e\\\\[?2004h*'
            zpty -w -n z "$1"$'\\t'
            shown=
            for word in "${@:2}"; do
                [[ $shown == *$word* ]] || { zpty -r z out "*$word*"; shown+=$out; }
            done
            if (( $# == 1 )); then
                zpty -w -n z $'\\n'
                zpty -r z shown '*RAN*END*'
                shown=${shown##*RAN}
            fi
            print -r -- $shown
            zpty -d z
            """
        // The script waits for the expected output; the time limit only ends a failed test.
        let tool = try run(
            "timeout", ["--kill-after=1", "60", "zsh", "-f", "-c", script, "zsh", "\(before)locwatch \(line)"] + words)
        #expect(tool.status == 0, "\(tool.output)\(tool.errors)")
        return tool.output
    }

    private func run(_ program: String, _ arguments: [String], input: String = "") throws -> Tool {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return try Tool(
            program, arguments, input: input,
            environment: [
                "PATH": "\(scratch.path("bin")):\(path)", "HOME": scratch.url.path, "HOSTFILE": scratch.path("hosts"),
                "TERM": "xterm", "LC_ALL": "C.UTF-8", "COMPLETIONS": Self.completions.path,
            ], in: scratch.url)
    }
}
