import GPSDSimulation
import Glibc
import LocationCore
import LocationTesting
import TestSupport
import Testing

/// The serial line of a simulated receiver.
@Suite(.serialized, .withFew) struct ReceiverLineTests {
    /// A program that reads the line.
    private final class Reader {
        private let descriptor: Int32
        private var text = ""

        init(_ path: String) { descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY) }

        deinit { close(descriptor) }

        /// Reads until the text contains a word; returns it and forgets it.
        func read(until word: String) async throws -> String {
            try await eventually("the word \(word)") {
                var piece = [UInt8](repeating: 0, count: 4096)
                let count = Glibc.read(descriptor, &piece, piece.count)
                if count > 0 { text += String(decoding: piece[..<count], as: UTF8.self) }
                return text
            } is: {
                $0.contains(word)
            }
            defer { text = "" }
            return text
        }

        func discard() {
            // Twice, because the kernel can still pass on what came before.
            for pause in [8_000, 0] as [UInt32] where tcflush(descriptor, TCIOFLUSH) == 0 { usleep(pause) }
        }
    }

    @Test func `the reason why there is no receiver is a sentence`() throws {
        let folder = try Scratch()
        try folder.write("", to: "file")
        let speed = #expect(throws: SimulationError.self) {
            try SimulatedReceiver(.walk, settings: with(.init()) { $0.lineSpeed = 7 })
        }
        #expect(speed?.description == "no serial line has a speed of 7 bits per second")
        let path = #expect(throws: SimulationError.self) {
            try SimulatedReceiver(.walk, settings: with(.init()) { $0.path = folder.path("file") })
        }
        #expect(path?.description == "\(folder.path("file")) is a file other than the link of a receiver")
    }

    @Test func `a reader that discards its input gets whole epochs only`() async throws {
        let receiver = try SimulatedReceiver(
            .walk, settings: with(.init()) { ($0.speedup, $0.lineSpeed) = (4, 38_400) })
        defer { receiver.stop() }
        let reader = Reader(receiver.path)
        // Nothing is skipped by a reader that is late, and discards its input between two epochs.
        for _ in 0..<40 where receiver.progress.epochsSkipped < 3 {
            // An epoch begins with its RMC, and its GSV are among the last sentences.
            _ = try await reader.read(until: "GSV,")
            reader.discard()
            let next = try await reader.read(until: "GSV,")
            #expect(next.contains("RMC,"), "\(next)")
        }
        #expect(receiver.progress.epochsSkipped >= 3)
    }

    /// The rates with the least room on a line of each speed.
    @Test(arguments: [5, 10])
    func `the epochs of each simulated receiver end before the next one begins`(rate: Int) {
        let start = Timestamp(nanosecondsSince1970: 1_772_352_000_000_000_000)
        for var scenario in ReceiverScenario.all {
            scenario.rate = rate
            let encoder = ScenarioEncoder(scenario, start: start)
            // Within a second only noise changes the length.
            let indices = stride(from: 0, to: 8 * rate, by: scenario.noise == nil ? rate : 1)
            let longest = indices.map { encoder.transmission($0).bytes.count }.max() ?? 0
            let room = scenario.sufficientLineSpeed / 10 / rate
            #expect(longest > 0 && longest < room, "\(scenario.name): \(longest) of \(room) bytes")
        }
    }

    @Test func `a reader that keeps its input gets every epoch`() async throws {
        // A busy machine can delay one reader until the line is full, but not each.
        var skipped = 1
        for _ in 0..<9 where skipped > 0 {
            let receiver = try SimulatedReceiver(.walk, settings: with(.init()) { $0.speedup = 4 })
            defer { receiver.stop() }
            let reader = Reader(receiver.path)
            for _ in 0..<3 { _ = try await reader.read(until: "GSV,") }
            skipped = receiver.progress.epochsSkipped
        }
        #expect(skipped == 0)
    }
}
