import LocationPublishing
import LocwatchArguments
import LocwatchTerminal
import LocwatchWeb

/// The manual page locwatch(1), in the man macros of roff.
enum ManualPage {
    static var text: String {
        var page = Roff()
        page.line(".TH LOCWATCH 1 \(Version.date) \"locwatch \(Version.number)\" \"User Commands\"")
        page.section("NAME")
        page.text("locwatch - \(HelpText.tagline)", escapesHyphens: false)
        page.section("SYNOPSIS")
        page.synopsis(["[\(Roff.italic("COMMAND"))]", "[\(Roff.italic("OPTIONS"))]", "[\(Roff.italic("SOURCE"))]"])
        describe(&page)
        page.section("COMMANDS")
        for entry in CommandName.allCases.map(\.entry) {
            let operands = entry.operands.map { operand in
                operand.isRequired ? Roff.italic(operand.placeholder) : "[\(Roff.italic(operand.placeholder))]"
            }
            page.term(([Roff.bold(entry.name.rawValue)] + operands).joined(separator: " "))
            page.text(entry.summary.sentence)
            for paragraph in entry.description { page.text(paragraph) }
            for operand in entry.operands where !operand.meanings.isEmpty {
                let words = operand.meanings.map { "\($0.term) (\($0.meaning))" }
                page.text("\(operand.placeholder) is \(EnglishList.or(words)).")
            }
        }
        output(&page)
        page.section("SOURCE")
        page.terms(SourceHelp.rows)
        page.paragraph()
        page.text(SourceHelp.rule)
        page.paragraph()
        page.text(
            "A raw log may be of any format that gpsd knows; gpsdecode of the Debian package gpsd-clients decodes it. What 'gpspipe -r' or "
                + "-R writes is one. 'locwatch record drive.json drive.nmea.gz' turns a log into a recording.")
        page.section("SIMULATED RECEIVERS")
        page.text(SimulationHelp.introduction)
        page.terms(SimulationHelp.rows + SimulationOption.rows)
        page.paragraph()
        page.text(SimulationHelp.rule)
        page.section("TARGET")
        page.terms(TargetHelp.rows)
        page.paragraph()
        page.text(TargetHelp.rule)
        page.terms(TargetParameter.all.map { ("?\($0.name)=", $0.meaning) })
        page.paragraph()
        page.text(
            "What is at a PATH already is not replaced, unless a killed locwatch of this user left it: a link to its terminal, or a "
                + "pipe, a socket or a file with the sticky bit, which marks those of locwatch. While a path is in use, a hidden "
                + "file beside it, .NAME.lock, is locked. What is removed or replaced in the meantime is made again as soon as "
                + "the path is free; both are removed at the end.")
        page.paragraph()
        page.text(
            "'once --to' can run beside a publish to the same TARGET: its connection has a name of its own, and it leaves "
                + "TOPIC/status and the availability in Home Assistant as they are.")
        options(&page)
        configuration(&page)
        noPosition(&page)
        actions(&page)
        monitor(&page)
        web(&page)
        desktop(&page)
        testing(&page)
        environment(&page)
        integrity(&page)
        corrections(&page)
        limits(&page)
        safety(&page)
        page.section("EXIT STATUS")
        for code in ExitCode.allCases {
            page.term(Roff.bold("\(code.rawValue)"))
            page.text(code.meaning.sentence)
        }
        page.paragraph()
        page.text(
            "After SIGINT, SIGTERM or SIGHUP locwatch completes the line and the file, and then dies by that signal. "
                + "A second signal ends it at once. A closed pipe ends it silently.")
        examples(&page)
        page.section("SEE ALSO")
        page.line(".BR gpsd (8),")
        page.line(".BR gpspipe (1),")
        page.line(".BR cgps (1)")
        return page.output
    }

    private static func describe(_ page: inout Roff) {
        page.section("DESCRIPTION")
        page.text(
            "locwatch shows where a Linux machine is and how accurate that is, for people and scripts. It asks gpsd, "
                + "reads a serial receiver through a private gpsd, plays recorded sessions, or simulates a receiver.")
        page.paragraph()
        page.text(
            "\(OutputHelp.streams) An outdated position is never shown as current: the state is searching until there "
                + "is a fix, found while there is one, and error when something fails.")
        page.paragraph()
        page.text("Times are local in text, or UTC with --utc, and always UTC in JSON and CSV.")
    }

    private static func output(_ page: inout Roff) {
        page.section("OUTPUT")
        page.text("In text a position is one line, such as")
        page.example(OutputHelp.example)
        page.text("with these columns:")
        page.terms(OutputHelp.columns)
        for paragraph in OutputHelp.paragraphs {
            page.paragraph()
            page.text(paragraph)
        }
    }

    private static func options(_ page: inout Roff) {
        page.section("OPTIONS")
        page.text(
            "Each is followed by the commands that take it. Long options can be cut to a unique prefix, short ones "
                + "can be bundled, -- ends them, and the last one wins. A DURATION is 250ms, 10s, 5m, 1h30m; METRES can "
                + "have a unit, as in 0.5km, 160ft, 2nmi.")
        for group in OptionGroup.allCases {
            page.subsection(group.rawValue)
            for option in OptionTable.all where option.group == group {
                page.term(spelled(option))
                page.text(option.summary.sentence)
                if !option.more.isEmpty { page.text(option.more) }
                guard !option.isForEveryCommand else { continue }
                let commands = option.commands.map(\.rawValue)
                page.text("(\(commands.joined(separator: ", ")))")
            }
        }
    }

    private static func spelled(_ option: OptionEntry) -> String {
        let short = option.short.map { Roff.bold("-\($0)") + ", " } ?? ""
        return short + Roff.bold(option.long) + (option.valueForm.map { " \(Roff.italic($0.placeholder))" } ?? "")
    }

    private static func configuration(_ page: inout Roff) {
        page.section("CONFIGURATION")
        page.text(
            "Every command reads options from a file: the one that --config or LOCWATCH_CONFIG names, or else locwatch/config in "
                + "XDG_CONFIG_HOME, or in ~/.config. Each line is an option without its hyphens, followed by its value, or source and a "
                + "SOURCE; a line that begins with # is a comment. A command passes over what it does not take, and the command line "
                + "overrides the file. --no-config reads none, and 'locwatch version -v' says which one was read.")
        page.example(
            """
            # ~/.config/locwatch/config
            source pi.local
            units nautical
            fence home=45.0703,7.6869,150
            """)
        page.text(
            "Hooks and secrets (on, header, password-file, token-file, cert) are not read from a file that others can write. A "
                + "TARGET in the file is for publish only.")
    }

    private static func environment(_ page: inout Roff) {
        page.section("ENVIRONMENT")
        page.term(Roff.bold("LOCWATCH_SOURCE"))
        page.text("The default SOURCE.")
        page.term(Roff.bold("LOCWATCH_CONFIG"))
        page.text("The configuration file, as --config names it.")
        page.term(Roff.bold(PublishSecrets.variable))
        page.text("The password for a TARGET, or for a broker as SOURCE, if no --password-file is given.")
        page.term(Roff.bold(WebSetup.tokenVariable))
        page.text("The token of web, if no --token-file is given.")
        page.term(Roff.bold("NO_COLOR"))
        page.text("No colour, with any value, unless --color overrides it.")
        page.term("\(Roff.bold("LC_ALL")), \(Roff.bold("LC_CTYPE")), \(Roff.bold("LANG"))")
        page.text("Whether text can contain characters beyond ASCII. Numbers do not depend on them.")
        page.term(Roff.bold("TZ"))
        page.text("The time zone of text.")
    }

    private static func examples(_ page: inout Roff) {
        page.section("EXAMPLES")
        for entry in CommandName.allCases.map(\.entry) {
            for example in entry.examples {
                page.term(Roff.bold(example.line))
                page.text(example.explanation.sentence)
            }
        }
    }
}

extension String {
    /// The text with an initial capital and a full stop at the end.
    var sentence: String {
        let capital = first.map { $0.isLetter && $0.isLowercase ? $0.uppercased() + dropFirst() : self } ?? ""
        return capital.last.map { ".?!)".contains($0) } == true && !capital.hasSuffix(")") ? capital : capital + "."
    }
}
