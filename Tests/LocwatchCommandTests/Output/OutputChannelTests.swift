import Foundation
import LocationCore
import LocwatchPlatform
import TestSupport
import Testing

@testable import LocwatchSession
@testable import LocwatchTerminal

@Suite(.serialized, .alone) struct OutputChannelTests {
    /// A pipe that holds 4,096 bytes, read by the test.
    private final class SmallPipe: Sendable {
        static let capacity = 4096
        private let pipe: PrivatePipe
        var input: Int32 { pipe.writeEnd }
        var output: Int32 { pipe.readEnd }

        init(blocks: Bool = true) throws {
            pipe = try PrivatePipe()
            pipe.holdLittle()
            _ = fcntl(output, F_SETFL, O_NONBLOCK)
            if !blocks { _ = fcntl(input, F_SETFL, O_NONBLOCK) }
            // As in the program, a write to a closed pipe fails instead of killing the process.
            signal(SIGPIPE, SIG_IGN)
        }

        deinit {
            close(output)
            close(input)
        }

        func read() -> String {
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = Glibc.read(output, &bytes, bytes.count)
            return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        }

        /// Reads `count` bytes on another thread once the pipe has no more room.
        func readLate(_ count: Int) throws -> Background<String> {
            try Background { [self] in
                var room = pollfd(fd: input, events: Int16(POLLOUT), revents: 0)
                while poll(&room, 1, 0) > 0 { usleep(100) }
                var (text, bytes) = ("", pollfd(fd: output, events: Int16(POLLIN), revents: 0))
                while text.utf8.count < count, poll(&bytes, 1, 60_000) > 0 { text += read() }
                return text
            }
        }
    }

    private func channel(_ pipe: SmallPipe, _ manner: OutputChannel.Backpressure) -> OutputChannel {
        OutputChannel(Console(output: pipe.input, environment: [:]), manner) { notice in
            guard case .dropped(let locations, let skyViews, _) = notice.content else { return [] }
            return Array("dropped \(locations) \(skyViews)\n".utf8)
        }
    }

    /// Returns a line of 64 bytes with a kind and a number.
    private func line(_ kind: String, _ number: Int) -> String {
        let text = "\(kind) \(number) "
        return text + String(repeating: ".", count: 63 - text.utf8.count) + "\n"
    }

    /// Reads until the channel has no more waiting output, and returns the words of each line.
    private func drain(_ channel: OutputChannel, _ pipe: SmallPipe) throws -> [[Substring]] {
        var text = pipe.read()
        while channel.isWaiting {
            try channel.flush()
            text += pipe.read()
        }
        return text.split(separator: "\n").map { $0.split(separator: " ") }
    }

    @Test(arguments: [OutputChannel.Backpressure.live, .complete])
    func `lines are written in order by a flush, and not before it`(manner: OutputChannel.Backpressure) throws {
        let pipe = try SmallPipe()
        let channel = channel(pipe, manner)
        #expect(!channel.isWaiting)
        try channel.put(.location) { $0.put("one\n") }
        try channel.put { _ in }
        try channel.put { $0.put("two\n") }
        #expect(channel.isWaiting)
        #expect(pipe.read() == "")
        try channel.flush()
        #expect(pipe.read() == "one\ntwo\n")
        #expect(!channel.isWaiting)
    }

    @Test func `a live channel does not wait for a terminal that has less room than a line`() throws {
        let terminal = try PseudoTerminal()
        let slave = open(terminal.path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(slave >= 0)
        defer { close(slave) }
        let done = try Event()
        let line = line("location", 0)
        try NativeThread.start {
            let channel = OutputChannel(Console(output: slave, environment: [:]), .live)
            for _ in 0..<2000 {
                try? channel.put(.location) { $0.put(line) }
                try? channel.flush()
            }
            done.happen()
        }
        #expect(done.happens(within: .seconds(300)), "the channel waits")
        withExtendedLifetime(terminal) {}
    }

    @Test(arguments: [true, false])
    func `a complete channel waits for its reader and loses nothing`(blocks: Bool) throws {
        let pipe = try SmallPipe(blocks: blocks)
        let channel = channel(pipe, .complete)
        let lines = (0..<5000).map { line("location", $0) }
        let late = try pipe.readLate(5000 * 64)
        for line in lines { try channel.put(.location) { $0.put(line) } }
        try channel.finish()
        late.done.wait()
        #expect(late.value == lines.joined())
    }

    @Test(arguments: [true, false])
    func `a live channel drops positions instead of waiting for its reader`(blocks: Bool) throws {
        let pipe = try SmallPipe(blocks: blocks)
        let channel = channel(pipe, .live)
        for number in 0..<20_000 {
            try channel.put(.location) { $0.put(line("location", number)) }
            if number % 100 == 0 { try channel.put { $0.put(line("state", number)) } }
            if number % 10 == 0 { try channel.put(.sky) { $0.put(line("sky", number)) } }
            try channel.flush()
        }
        let lines = try drain(channel, pipe)
        #expect(lines.allSatisfy { $0.count == 3 }, "each line is whole")
        let told = { (kind: Substring) in lines.filter { $0[0] == kind }.compactMap { Int($0[1]) } }
        #expect(told("state") == (0..<200).map { $0 * 100 }, "positions are dropped before states")
        #expect(told("location") == told("location").sorted())
        #expect(told("location").last == 19_999, "the newest is there")
        let dropped = lines.filter { $0[0] == "dropped" }
        #expect(dropped.count == 1)
        #expect(told("location").count + dropped.compactMap { Int($0[1]) }.reduce(0, +) == 20_000)
        #expect(told("sky").count + dropped.compactMap { Int($0[2]) }.reduce(0, +) == 2000)
        // The notice is in the place of the dropped lines: after the oldest ones, which the pipe had already taken.
        let place = try #require(lines.firstIndex { $0[0] == "dropped" })
        #expect(lines[..<place].filter { $0[0] == "location" }.compactMap { Int($0[1]) }.max() ?? 0 < 100)
        // At most 256 kB wait, besides lines that must not be dropped.
        #expect(told("location").count < (256 * 1024 + SmallPipe.capacity) / 64)
    }

    @Test func `a partly written line is completed before dropped lines are announced`() throws {
        let pipe = try SmallPipe()
        let channel = channel(pipe, .live)
        let long = String(repeating: "x", count: 10_000) + "\n"
        try channel.put(.location) { $0.put(long) }
        try channel.flush()
        for number in 0..<10_000 { try channel.put(.location) { $0.put(line("location", number)) } }
        try channel.flush()
        let lines = try drain(channel, pipe)
        #expect(lines[0] == [long.dropLast()])
        #expect(lines[1].first == "dropped")
        #expect(lines.last?[1] == "9999")
    }

    @Test func `finishing a live channel waits for its reader`() throws {
        let pipe = try SmallPipe()
        let channel = channel(pipe, .live)
        let lines = (0..<1000).map { line("location", $0) }
        for line in lines {
            try channel.put(.location) { $0.put(line) }
            try channel.flush()
        }
        let late = try pipe.readLate(1000 * 64)
        try channel.finish()
        late.done.wait()
        #expect(late.value == lines.joined())
        #expect(!channel.isWaiting)
    }

    @Test(arguments: [OutputChannel.Backpressure.live, .complete])
    func `a closed pipe and a full disk are different failures`(manner: OutputChannel.Backpressure) throws {
        let pipe = try PrivatePipe()
        signal(SIGPIPE, SIG_IGN)
        close(pipe.readEnd)
        defer { close(pipe.writeEnd) }
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(full) }
        for (descriptor, failure) in [(pipe.writeEnd, OutputFailure.readerGone), (full, .system(ENOSPC))] {
            for ends in [false, true] {
                let channel = OutputChannel(Console(output: descriptor, environment: [:]), manner) { _ in [] }
                try channel.put { $0.put("line\n") }
                #expect(throws: failure) { if ends { try channel.finish() } else { try channel.flush() } }
            }
            // More output than a channel holds back takes a different code path.
            let channel = OutputChannel(Console(output: descriptor, environment: [:]), manner) { _ in [] }
            #expect(throws: failure) {
                for number in 0..<5000 { try channel.put(.location) { $0.put(line("location", number)) } }
                try channel.flush()
            }
        }
    }

    @Test func `failures for a stalled reader stay within the limit and keep the newest`() throws {
        let pipe = try SmallPipe()
        let channel = channel(pipe, .live)
        for number in 0..<100_000 {
            try channel.put(.replaceable("unreachable")) { $0.put(line("error", number)) }
            if number % 10 == 0 { try channel.put { $0.put(line("state", number)) } }
            try channel.flush()
        }
        let lines = try drain(channel, pipe)
        #expect(lines.count * 64 < 256 * 1024 + SmallPipe.capacity + 1024)
        #expect(lines.last?[1] == "99999")
        #expect(lines.contains { $0[0] == "state" && $0[1] == "99990" })
    }

    /// Returns the ends of a pipe, or of a pair of sockets.
    private static func ends(isSocket: Bool) throws -> (reader: Int32, writer: Int32) {
        guard isSocket else {
            let pipe = try PrivatePipe()
            return (pipe.readEnd, pipe.writeEnd)
        }
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        return (ends[0], ends[1])
    }

    @Test(arguments: [false, true])
    func `a reader that is gone is noticed without a write, in a pipe and in a socket`(isSocket: Bool) throws {
        let (reader, writer) = try Self.ends(isSocket: isSocket)
        defer { close(writer) }
        let console = Console(output: writer, environment: [:])
        let (channel, watch) = (OutputChannel(console, .live), ReaderWatch(console))
        func poll() -> PollSet {
            var wait = SessionWait(at: Moment(elapsed: .zero, wall: Timestamp(nanosecondsSince1970: 0)))
            channel.addDescriptor(to: &wait.descriptors)
            watch.prepare(&wait)
            wait.descriptors.wait(within: .zero)
            return wait.descriptors
        }
        let before = poll()
        #expect(!before.isReady(writer))
        try channel.check(before)
        _ = try watch.serve(before)
        close(reader)
        let after = poll()
        #expect(throws: OutputFailure.readerGone) { try channel.check(after) }
        #expect(throws: OutputFailure.readerGone) { _ = try watch.serve(after) }
    }
}
