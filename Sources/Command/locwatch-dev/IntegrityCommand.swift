import Glibc
import IntegrityTrials

/// Prints the figures of the article about integrity, whose trials take minutes.
struct IntegrityCommand: DeveloperCommand {
    static let name = "integrity"
    static let operands = "attacks SEEDS [WORD] | thresholds FILE …"
    static let summary = "print the figures of the article about integrity: of attacks and journeys, or over recordings"

    private enum Figures {
        case attacks(seeds: Int, word: String)
        case thresholds(recordings: [String])
    }

    private let figures: Figures

    init?(_ operands: [String]) {
        switch operands.first {
        case "attacks":
            guard 2...3 ~= operands.count, let seeds = Int(operands[1]), seeds > 0 else { return nil }
            figures = .attacks(seeds: seeds, word: operands.count > 2 ? operands[2] : "")
        case "thresholds": figures = .thresholds(recordings: Array(operands.dropFirst()))
        default: return nil
        }
    }

    func run() async throws {
        func write(_ line: String) { writeText(line + "\n", to: STDOUT_FILENO) }
        switch figures {
        case .attacks(let seeds, let word): IntegrityFigures.attacks(seeds: seeds, word, write: write)
        case .thresholds(let recordings): try await IntegrityFigures.thresholds(recordings: recordings, write: write)
        }
    }
}
