import GPSDProtocol
import LocationCore
package import LocwatchArguments
import LocwatchPlatform
package import LocwatchTerminal

/// The output of a command, as its settings and the terminal ask for it.
extension CommandSession {
    package var usesColor: Bool {
        settings.output.color.isColored(isTerminal: context.console.outputIsTerminal, environment: context.environment)
    }

    /// The time zone of displayed times, which is UTC if the settings ask for it.
    package var localTime: LocalTime { settings.output.usesUTC ? .utc : context.localTime }

    /// The style of text for users, in the characters of the locale unless the settings ask for ASCII.
    package var style: TextStyle {
        let output = settings.output
        return TextStyle(
            degrees: output.degrees, units: output.units, precision: output.precision, usesColor: usesColor,
            glyphs: output.usesASCII ? .ascii : context.glyphs, columns: context.console.outputColumns)
    }

    /// Returns the style of text on a page, which leaves the last column of the terminal free, or without a page.
    package func style(on page: LivePage?) -> TextStyle {
        var style = style
        if page != nil { style.columns -= 1 }
        return style
    }

    /// The page of a command that shows figures while its session runs, or `nil` if it shows none.
    package var page: LivePage? {
        let console = context.console
        let isText = !settings.output.carries(.objects)
        guard isText, settings.reading.pace != .max, console.canRewrite(console.output) else { return nil }
        let jobs = JobControl(of: console.output)
        return LivePage(turn: { jobs.turn }, size: { Terminal.size(of: console.output) })
    }

    /// Returns the printer for the settings, whose selection of events `select` changes.
    package func printer(selecting select: (inout EventSelection) -> Void = { _ in }) -> any EventPrinter {
        var settings = settings
        select(&settings.output.events)
        return settings.printer(style, localTime: localTime)
    }

    /// Returns the channel to standard output, which loses nothing, or in a live session drops lines instead of waiting for a slow
    /// reader.
    ///
    /// - Parameters:
    ///   - printer: Prints the notice of dropped lines; standard error has it if the format has no notices.
    ///   - isLive: Whether it waits for no reader; by default if the source is live.
    package func output(_ printer: (any EventPrinter)? = nil, isLive: Bool? = nil) -> OutputChannel {
        OutputChannel(context.console, isLive ?? source.isLive ? .live : .complete) {
            [narrator, clock = context.clock] notice in
            var line = TextBuffer()
            let moment = Moment(elapsed: .zero, wall: clock.now.wall)
            if var printer {
                printer.print(.update(LocationUpdate(.notice(notice), at: moment)), SessionView(), into: &line)
            }
            if line.count == 0 { narrator.say(notice.message) }
            return line.bytes
        }
    }
}
