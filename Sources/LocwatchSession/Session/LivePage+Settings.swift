import GPSDReports
package import LocwatchArguments
package import LocwatchTerminal

extension LivePage {
    /// Creates the page of a command that shows figures while its session runs, or returns `nil` if it shows none.
    package init?(_ settings: Settings, _ console: Console) {
        guard !settings.output.carries(.objects), settings.pace != .max, console.canRewrite(console.output) else {
            return nil
        }
        let size = Terminal.size(of: console.output)
        self.init(columns: size.columns, rows: size.rows)
    }
}
