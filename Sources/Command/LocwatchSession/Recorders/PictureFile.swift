import Glibc
package import LocationTracks
package import LocwatchArguments
import LocwatchPlatform
package import LocwatchTerminal

/// A file for a picture, which is checked as far as possible before a long session.
package struct PictureFile {
    package static let ending = ".svg"

    private let path: String

    /// Prepares the file of a plot, which is written later and may replace an existing one of a plot, or returns `nil` if the plot
    /// is for the terminal or there is none.
    package init?(_ plot: Plot?) throws(OutputFailure) {
        guard case .file(let path) = plot else { return nil }
        self.path = path
        guard access(WrittenFolder.around(path), W_OK) == 0 else {
            throw .track(.system(attempt: "create", path: path, code: errno))
        }
        do throws(TrackFileError) { try FileReplacement.check(path, is: .picture) } catch { throw .track(error) }
    }

    package static func isNamed(_ path: String) -> Bool { path.lowercased().hasSuffix(ending) }

    package func write(_ plot: some Picture) throws(OutputFailure) {
        try FileReplacement.write(plot.svg(.automatic), to: path, only: .picture)
    }
}

extension Invocation {
    /// Checks that a plot can be drawn: not into JSON, and into a file of a known kind.
    package func checkPlot(example: String) throws(UsageError) {
        switch settings.output.plot {
        case .terminal where settings.output.carries(.objects):
            throw UsageError(
                of: "plot", "json",
                message: "--plot draws text; with --json, draw into a file, as in --plot-file \(example)")
        case .file(let path) where !PictureFile.isNamed(path):
            throw UsageError(allowed: "a name that ends in .svg").named("--plot-file", path)
        case .file, .terminal, nil: break
        }
    }
}

extension Units {
    package var plot: PlotUnits {
        let (length, speed) = (length(1), speed(1))
        return PlotUnits(
            length: (length.unit, 1 / length.value), distance: (distance.unit, distance.metres),
            speed: (speed.unit, 1 / speed.value))
    }
}

extension FileReplacement {
    /// Replaces the file at a path with one of some bytes, of which a reader never sees a part.
    package static func write(_ bytes: [UInt8], to path: String, only kind: ReplacedKind? = nil) throws(OutputFailure) {
        do throws(TrackFileError) {
            var draft = try FileReplacement(of: path, only: kind)
            try draft.write(bytes)
            try draft.finish()
        } catch {
            throw .track(error)
        }
    }
}
