package import LocationTracks
package import LocwatchArguments
package import LocwatchTerminal

extension PictureFile {
    /// Prepares the file of a plot, or returns `nil` if the plot is for the terminal or there is none.
    package init?(_ plot: Plot?) throws(OutputFailure) {
        guard case .file(let path) = plot else { return nil }
        try self.init(path)
    }
}

extension Invocation {
    /// Checks that a plot can be drawn: not into JSON, and into a file of a known kind.
    ///
    /// - Parameter example: The name of a file for the message.
    package func checkPlot(example: String) throws(UsageError) {
        switch settings.output.plot {
        case .terminal where settings.output.carries(.objects):
            throw UsageError(
                "--plot draws text; with --json, draw into a file, as in --plot-file \(example)", command: command)
        case .file(let path) where !PictureFile.isNamed(path):
            throw UsageError("--plot-file", path, ValueError(allowed: "a name that ends in .svg"), command)
        case .file, .terminal, nil: break
        }
    }
}

extension Units {
    /// The units of a picture.
    package var plot: PlotUnits {
        let (length, speed) = (length(1), speed(1))
        return PlotUnits(
            length: (length.unit, 1 / length.value), distance: (distance.unit, distance.metres),
            speed: (speed.unit, 1 / speed.value))
    }
}
