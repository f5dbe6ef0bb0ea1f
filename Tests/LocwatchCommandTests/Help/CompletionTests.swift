import Foundation
import LocationTracks
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchCommand

struct CompletionTests {
    @Test(arguments: Shell.allCases)
    func `the completion script matches its golden file`(shell: Shell) throws {
        try Golden.expect(shell.completions, is: "completions.\(shell.rawValue)")
    }

    /// The receivers in the test's folder, without other devices.
    static let devices: Set = [
        "dev/ttyACM0", "dev/ttyUSB12", "dev/serial/by-id/usb-u-blox_7-if00", "dev/gps0",
    ]

    /// The typed words, split as in bash, and the completions that must be offered.
    static let lines: [(words: [String], offered: Set<String>, isAll: Bool)] = [
        (["--un"], ["--units"], true), (["once", "--f"], ["--fence", "--format", "--fix"], true),
        (["--units", "im"], ["imperial"], true), (["--units=", "im"], ["imperial"], true),
        (["exp"], ["export"], true), (["export", "g"], ["gpx", "geojson"], true),
        (["export", ""], Set(TrackFormat.allCases.map(\.name)), true),
        (["export", "gpx", "dri"], ["drive.json"], false),
        (["completions", ""], ["bash", "zsh", "fish"], true), (["help", "sch"], ["schema"], true),
        (["-n", "5", "onc"], ["once"], true), (["record", "dri"], ["drive.json"], true),
        (["--device", "d"], devices, true), (["once", "--device", ""], devices, true),
        (["stats", "--plot", "a.svg", "dri"], ["drive.json"], false),
        (["stats", "dri"], ["drive.json"], false), (["once", "sim:w"], ["sim:walk"], false),
        (["--on", "e"], ["error=", "enter=", "enter:", "exit=", "exit:", "every="], true),
        (["--on=", "fo"], ["found="], true),
        (["--fence", "home=45,7,9", "--on", "enter:h"], ["enter:home="], true),
        (["--on", "found=notify-locwatch-t"], ["found=notify-locwatch-test"], true),
        (
            ["--fence=", "home=45,7,9", "--on", "enter:home=notify-locwatch-t"],
            ["enter:home=notify-locwatch-test"], true
        ),
        (["--on", "found=true", "record", "dri"], ["drive.json"], true),
    ]

    /// Returns the beginning of the last word up to a colon or an equals sign.
    private static func beginning(of words: [String]) -> Substring {
        guard let last = words.last, let end = last.lastIndex(where: { ":=".contains($0) }) else { return "" }
        return last[...end]
    }

    @Test(arguments: lines)
    func `bash offers the matching words`(words: [String], offered: Set<String>, isAll: Bool) throws {
        let script = """
            source ./locwatch.bash
            words=(locwatch) COMP_LINE=locwatch
            for word in "$@"; do
                [[ $COMP_LINE == *= ]] || COMP_LINE+=' '
                COMP_LINE+=$word
                while [[ $word == *[:=]* ]]; do
                    part=${word%%[:=]*} word=${word#"${word%%[:=]*}"}
                    [[ $part ]] && words+=("$part")
                    words+=("${word:0:1}") word=${word:1}
                done
                [[ $word ]] && words+=("$word")
            done
            [[ $word || ${words[-1]} == [:=] ]] || words+=('')
            COMP_WORDS=("${words[@]}") COMP_CWORD=$((${#words[@]} - 1)) COMP_POINT=${#COMP_LINE}
            _locwatch
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let answers = try run("bash", ["--norc", "-c", script, "bash"] + words).output
        // bash keeps the text before the last colon or equals sign.
        let prefix = Self.beginning(of: words)
        check(Set(answers.split(separator: "\n").map { String(prefix + $0) }), offered, isAll)
    }

    @Test(arguments: lines)
    func `fish offers the matching words`(words: [String], offered: Set<String>, isAll: Bool) throws {
        let line = (["locwatch"] + words).joined(separator: " ").replacing("= ", with: "=")
        let tool = try run(
            "fish", ["--no-config", "-c", "source ./locwatch.fish; complete -C \(CompletionWords.quoted(line))"])
        #expect(tool.errors == "")
        let answers = tool.output.split(separator: "\n").map { line in
            String(line.split(separator: "\t")[0].replacing(/^--(units|on)=/, with: ""))
        }
        check(Set(answers), offered, isAll)
    }

    @Test(arguments: lines)
    func `zsh offers the matching words`(words: [String], offered: Set<String>, isAll: Bool) throws {
        let line = (["locwatch"] + words).joined(separator: " ").replacing("= ", with: "=")
        let script = """
            zmodload zsh/zpty
            zpty z zsh -f -i
            zpty -w z "fpath=($PWD \\$fpath); autoload -Uz compinit; compinit -u -D; PS1='> '; stty cols 200"
            # List instead of complete, because a completed line is redrawn in pieces.
            zpty -w z "bindkey '^I' list-choices; setopt no_beep; print -n REA; print DY"
            zpty -r z out '*READY*'
            zpty -w -n z "$1"$'\\t'
            shown=
            for word in "${@:2}"; do
                [[ $shown == *$word* ]] || { zpty -r z out "*$word*"; shown+=$out; }
            done
            print -r -- $shown
            zpty -d z
            """
        // zsh lists the part of a hook that follows, and the name of the fence is on the typed line already.
        let typed = Self.beginning(of: words)
        let listed = offered.map { word in
            let isHook = !typed.isEmpty && words.contains("--on") && word.hasPrefix(typed)
            let part = isHook ? String(word.dropFirst(typed.count)).replacing(/=$/, with: "") : word
            return isHook && words.contains { $0.contains("\(part)=") } ? "\(part)*\(part)" : part
        }
        // The script waits for the expected output; the time limit only ends a failed test.
        let tool = try run("timeout", ["--kill-after=1", "60", "zsh", "-f", "-c", script, "zsh", line] + listed)
        #expect(tool.status == 0, "\(tool.output)\(tool.errors)")
        for word in listed.flatMap({ $0.split(separator: "*") }) { #expect(tool.output.contains(word)) }
    }

    @Test func `commands come before files and hosts if nothing is typed yet`() throws {
        let script =
            "source ./locwatch.bash; COMP_WORDS=(locwatch '') COMP_CWORD=1; _locwatch; "
            + "printf '%s\\n' \"${COMPREPLY[@]}\""
        let bash = try run("bash", ["--norc", "-c", script])
        let fish = try run("fish", ["--no-config", "-c", "source ./locwatch.fish; complete -C 'locwatch '"])
        for tool in [bash, fish] {
            let words = tool.output.split(separator: "\n").map { String($0.split(separator: "\t")[0]) }
            #expect(words.prefix(CompletionWords.commands.count) == CompletionWords.commands[...])
            #expect(words.contains("drive.json"))
        }
    }

    private func check(_ answers: Set<String>, _ offered: Set<String>, _ isAll: Bool) {
        if isAll { #expect(answers == offered) } else { #expect(answers.isSuperset(of: offered), "\(answers)") }
    }

    /// Runs a shell in a folder that holds the scripts and a recording.
    private func run(_ shell: String, _ arguments: [String]) throws -> Tool {
        let scratch = try Scratch()
        for shell in Shell.allCases {
            // The test creates its own devices in the folder.
            let script = shell.completions.replacing("/dev/", with: "dev/")
            _ = try scratch.write(script, to: shell == .zsh ? "_locwatch" : "locwatch.\(shell.rawValue)")
        }
        _ = try scratch.write("{}\n", to: "drive.json")
        try FileManager.default.createDirectory(
            at: scratch.url.appending(path: "bin"), withIntermediateDirectories: true)
        chmod(try scratch.write("#!/bin/sh\n", to: "bin/notify-locwatch-test").path, 0o755)
        let folder = scratch.url.appending(path: "dev/serial/by-id")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for device in Self.devices.union(["dev/null", "dev/tty0"]) { _ = try scratch.write("", to: device) }
        return try withExtendedLifetime(scratch) {
            try Tool(
                shell, arguments,
                environment: [
                    "PATH": "\(scratch.url.path)/bin:\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")",
                    "HOME": scratch.url.path,
                    "TERM": "xterm", "LC_ALL": "C.UTF-8",
                ], in: scratch.url)
        }
    }
}
