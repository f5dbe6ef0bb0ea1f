import Glibc
package import LocationTracks
import LocwatchPlatform
package import LocwatchTerminal

/// A file for a picture, which is checked as far as possible before a long session.
package struct PictureFile {
    private enum Form {
        case svg
        /// The program that converts SVG to PNG.
        case png(converter: String)
    }

    private static let converter = "rsvg-convert"
    private static let converterPackage = "librsvg2-bin"

    /// The filename extensions of pictures.
    package static let endings = [".svg", ".png"]

    private let path: String
    private let form: Form
    private let environment: [String: String]

    /// Creates a picture file, which is written later and may replace an existing one.
    package init(_ path: String, _ environment: [String: String]) throws(OutputFailure) {
        self.path = path
        self.environment = environment
        if Self.isConverted(path) {
            let folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
            let places = folders.map { "\($0)/\(Self.converter)" }
            guard let converter = places.first(where: { access($0, X_OK) == 0 }) else {
                throw .programMissing(
                    "PNG needs \(Self.converter), which is not installed: install it, as in "
                        + "'sudo apt install \(Self.converterPackage)', or name a file that ends in .svg")
            }
            form = .png(converter: converter)
        } else {
            form = .svg
        }
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        guard access(folder, W_OK) == 0 else { throw .track(.system(attempt: "create", path: path, code: errno)) }
    }

    /// Returns whether the extension of a path is that of a picture.
    package static func isNamed(_ path: String) -> Bool {
        endings.contains { path.lowercased().hasSuffix($0) }
    }

    /// Returns whether a program makes the picture of a path.
    package static func isConverted(_ path: String) -> Bool { path.lowercased().hasSuffix(".png") }

    /// Draws the picture and puts the complete file in its place.
    package func write(_ plot: some Picture) throws(OutputFailure) {
        let bytes =
            switch form {
            case .svg: plot.svg(.automatic)
            // A PNG cannot adapt to the page on which it is shown.
            case .png(let converter): try converted(plot.svg(.light), by: converter)
            }
        try FileReplacement.write(bytes, to: path)
    }

    private func converted(_ svg: [UInt8], by converter: String) throws(OutputFailure) -> [UInt8] {
        // Temporary files without a name can be of any size, and leave nothing behind.
        guard let input = tmpfile(), let output = tmpfile() else { throw OutputFailure(errno: errno) }
        defer {
            fclose(input)
            fclose(output)
        }
        guard fwrite(svg, 1, svg.count, input) == svg.count, fflush(input) == 0 else {
            throw OutputFailure(errno: errno)
        }
        rewind(input)
        do {
            let child = try ChildProcess(
                path: converter, arguments: ["--format=png"], environment: environment, input: fileno(input),
                output: fileno(output), error: 2)
            guard child.wait() == .exited(0) else {
                throw OutputFailure.cannotCreate("\(converter) could not create \(path.printable)")
            }
        } catch let failure as OutputFailure {
            throw failure
        } catch {
            throw .cannotCreate("\(error)")
        }
        fseek(output, 0, SEEK_END)
        let size = ftell(output)
        rewind(output)
        var bytes = [UInt8](repeating: 0, count: max(0, size))
        guard fread(&bytes, 1, bytes.count, output) == bytes.count else { throw OutputFailure(errno: errno) }
        return bytes
    }
}
