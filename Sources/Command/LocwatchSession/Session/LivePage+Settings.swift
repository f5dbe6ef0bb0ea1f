import LocationRecordings
package import LocwatchArguments
package import LocwatchTerminal

extension LivePage {
    /// Creates the page of a command that shows figures while its session runs, or returns `nil` if it shows none.
    package init?(_ settings: Settings, _ console: Console) {
        guard !settings.output.carries(.objects), settings.pace != .max, console.canRewrite(console.output) else {
            return nil
        }
        self.init { Terminal.size(of: console.output) }
    }
}

extension CommandContext {
    /// Returns the style of text on a page, which leaves the last column of the terminal free, or without a page.
    package func style(_ settings: Settings, on page: LivePage?) -> TextStyle {
        var style = style(settings)
        if page != nil { style.columns -= 1 }
        return style
    }
}
