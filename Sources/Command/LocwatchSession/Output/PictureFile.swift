import Glibc
package import LocationTracks
package import LocwatchTerminal

/// A file for a picture, which is checked as far as possible before a long session.
package struct PictureFile {
    /// The filename extension of pictures.
    package static let ending = ".svg"

    private let path: String

    /// Creates a picture file, which is written later and may replace an existing one.
    package init(_ path: String) throws(OutputFailure) {
        self.path = path
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        guard access(folder, W_OK) == 0 else { throw .track(.system(attempt: "create", path: path, code: errno)) }
    }

    /// Returns whether the extension of a path is that of a picture.
    package static func isNamed(_ path: String) -> Bool { path.lowercased().hasSuffix(ending) }

    /// Draws the picture and puts the complete file in its place.
    package func write(_ plot: some Picture) throws(OutputFailure) {
        try FileReplacement.write(plot.svg(.automatic), to: path)
    }
}
