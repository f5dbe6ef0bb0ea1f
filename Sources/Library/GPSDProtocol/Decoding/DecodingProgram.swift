import Glibc
import LocationCore
import LocwatchPlatform

/// A program of the system that decompresses an input.
package struct DecodingProgram: Hashable, Sendable {
    package let name: String
    /// Debian's package with the program.
    let package: String
    /// The ending of the names of the files that the program reads.
    package let ending: String
    let arguments: [String]
    /// The first bytes of the files that the program reads.
    let magic: [UInt8]

    static let gzip = DecodingProgram(
        name: "gzip", package: "gzip", ending: ".gz", arguments: ["-dc"], magic: [0x1F, 0x8B])
    /// xz sets no limit to the memory that a file asks for; `xz -9` asks for 65 MB, and each thread of later releases.
    static let xz = DecodingProgram(
        name: "xz", package: "xz-utils", ending: ".xz", arguments: ["-dc", "-T1", "--memlimit-decompress=100MiB"],
        magic: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00])
    static let zstd = DecodingProgram(
        name: "zstd", package: "zstd", ending: ".zst", arguments: ["-dcq"], magic: [0x28, 0xB5, 0x2F, 0xFD])

    package static let decompressors = [gzip, xz, zstd]

    /// The paths of the programs that can be started, as far as they are installed.
    package static var paths: [String] {
        decompressors.compactMap { InstalledProgram.path(of: $0.name) }
    }

    /// Returns the path of the program.
    func installedPath() throws(LocationError) -> String {
        guard let path = InstalledProgram.path(of: name) else { throw .programMissing(name: name, package: package) }
        return path
    }

    /// Starts the program, which has the path.
    func start(_ path: String, input: Int32, output: Int32, error: Int32) throws(LocationError) -> ChildProcess {
        let environment = ["PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C"]
        do throws(SystemFailure) {
            return try ChildProcess(
                path: path, arguments: arguments, environment: environment, input: input, output: output, error: error,
                // It has nothing to do at its end.
                confinement: .decoder, grace: .zero)
        } catch {
            throw LocationError.system(error)
        }
    }
}
