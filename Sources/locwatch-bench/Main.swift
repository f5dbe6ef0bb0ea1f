import Glibc

/// A program for the benchmarks that writes generated input or measures the decoder alone.
@main
struct Bench {
    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        switch (words.first, words.count) {
        case ("input", 4):
            guard let bytes = Int(words[1]), let seed = UInt64(words[2]), let satellites = Int(words[3]) else {
                usage()
            }
            writeInput(bytes: bytes, seed: seed, satellites: satellites)
        case ("decode", 3):
            guard let stage = Stage(rawValue: words[1]) else { usage() }
            measure(stage, words[2])
        default: usage()
        }
    }

    private static func usage() -> Never {
        say("usage: locwatch-bench input BYTES SEED SATELLITES | decode lines|reports|events FILE\n", to: 2)
        exit(64)
    }

    private static func writeInput(bytes: Int, seed: UInt64, satellites: Int) {
        var input = Input(seed: seed, satellites: satellites)
        var text: [UInt8] = []
        var written = 0
        while written < bytes {
            text.removeAll(keepingCapacity: true)
            while text.count < 1 << 20, written + text.count < bytes { input.addEpoch(to: &text) }
            guard write(whole: text) else { fail("standard output") }
            written += text.count
        }
    }

    private static func write(whole bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Glibc.write(1, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }

    /// Prints the CPU seconds and the number of results as JSON for the driver.
    private static func measure(_ stage: Stage, _ path: String) {
        let file = open(path, O_RDONLY)
        guard file >= 0 else { fail(path) }
        let size = Int(lseek(file, 0, SEEK_END))
        guard size > 0, let place = mmap(nil, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0), place != MAP_FAILED
        else { fail(path) }
        let bytes = UnsafeRawBufferPointer(start: place, count: size)
        let before = cpuSeconds
        let count = stage.run(bytes)
        let seconds = cpuSeconds - before
        say("{\"bytes\":\(size),\"count\":\(count),\"seconds\":\(seconds)}\n", to: 1)
    }

    private static var cpuSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func fail(_ name: String) -> Never {
        say("\(name): \(String(cString: strerror(errno)))\n", to: 2)
        exit(74)
    }

    private static func say(_ text: String, to descriptor: Int32) {
        _ = Glibc.write(descriptor, text, text.utf8.count)
    }
}
