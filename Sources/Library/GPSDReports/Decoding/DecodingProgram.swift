import Glibc
import LocationCore
import LocwatchPlatform

/// A program of the system that reads an input and writes what it means.
package struct DecodingProgram: Hashable, Sendable {
    let name: String
    /// Debian's package with the program.
    let package: String
    let arguments: [String]
    /// The first bytes of the files that the program reads, if they show it.
    let magic: [UInt8]

    static let gzip = DecodingProgram(name: "gzip", package: "gzip", arguments: ["-dc"], magic: [0x1F, 0x8B])
    /// xz sets no limit to the memory that a file asks for; `xz -9` asks for 65 MB, and each thread of later releases.
    static let xz = DecodingProgram(
        name: "xz", package: "xz-utils", arguments: ["-dc", "-T1", "--memlimit-decompress=100MiB"],
        magic: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00])
    static let zstd = DecodingProgram(
        name: "zstd", package: "zstd", arguments: ["-dcq"], magic: [0x28, 0xB5, 0x2F, 0xFD])
    /// gpsd's own decoder of what receivers send.
    static let gpsdecode = DecodingProgram(
        name: "gpsdecode", package: "gpsd-clients", arguments: ["-j"], magic: [])

    static let decompressors = [gzip, xz, zstd]
    /// The program that makes another one write each line at once.
    private static let lineWriter = "stdbuf"

    /// The paths of the programs that can be started, as far as they are installed.
    package static var paths: [String] {
        ((decompressors + [gpsdecode]).map(\.name) + [lineWriter]).compactMap { InstalledProgram.path(of: $0) }
    }

    /// Starts the program.
    func start(input: Int32, output: Int32, error: Int32) throws(LocationError) -> ChildProcess {
        guard var path = InstalledProgram.path(of: name) else { throw .programMissing(name: name, package: package) }
        var arguments = arguments
        var confinement = Confinement.decoder()
        // gpsdecode keeps its output until it has 4 kB of it, but a live input must be seen at once.
        if self == .gpsdecode, let stdbuf = InstalledProgram.path(of: Self.lineWriter) {
            arguments = ["-oL", path] + arguments
            confinement = .decoder(becoming: path)
            path = stdbuf
        }
        let environment = ["PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C"]
        do throws(SystemFailure) {
            return try ChildProcess(
                path: path, arguments: arguments, environment: environment, input: input, output: output, error: error,
                // It has nothing to do at its end.
                confinement: confinement, grace: .zero)
        } catch {
            throw LocationError.system(error)
        }
    }
}
