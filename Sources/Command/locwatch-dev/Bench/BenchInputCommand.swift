import Glibc
import LocwatchPlatform

/// Writes a generated recording to standard output, as the input of the bench.
struct BenchInputCommand: DeveloperCommand {
    static let name = "bench-input"
    static let operands = "BYTES SEED SATELLITES"
    static let summary = "write a generated recording to standard output"

    private let bytes: Int
    private let seed: UInt64
    private let satellites: Int

    init?(_ operands: [String]) {
        guard operands.count == 3, let bytes = Int(operands[0]), let seed = UInt64(operands[1]),
            let satellites = Int(operands[2])
        else { return nil }
        (self.bytes, self.seed, self.satellites) = (bytes, seed, satellites)
    }

    func run() throws {
        var input = BenchInput(seed: seed, satellites: satellites)
        var text: [UInt8] = []
        var written = 0
        while written < bytes {
            text.removeAll(keepingCapacity: true)
            while text.count < 1 << 20, written + text.count < bytes { input.addEpoch(to: &text) }
            let failure = text.withUnsafeBytes { WholeWrite.write($0, to: STDOUT_FILENO) }
            if let failure { throw SystemFailure("write to standard output", code: failure) }
            written += text.count
        }
    }
}
