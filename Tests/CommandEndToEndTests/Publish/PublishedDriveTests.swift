import Foundation
import TestSupport
import Testing

/// `publish` over MQTT, with mosquitto as the broker and mosquitto_sub as the reader.
@Suite(.serialized, .withFew, .onlyInMakeTest) struct PublishedDriveTests {
    private let folder: Scratch

    init() throws { folder = try Scratch() }

    private func drive(_ numbers: ClosedRange<Int>) throws {
        try folder.write(RecordedDrive.text(points: numbers.count, from: numbers.lowerBound), to: "drive.json")
    }

    private func publish(_ arguments: String, input: Bool = false) throws -> Locwatch {
        try Locwatch(
            "exec $LW publish \(arguments)", environment: ["XDG_STATE_HOME": folder.path("state")], folder: folder.url,
            input: input)
    }

    /// Returns the number of records in the queue, which does not depend on how many of them a transaction has, as the size of
    /// SQLite's files does.
    private func storedRecords() -> Int {
        let states = folder.path("state")
        let files = (try? FileManager.default.subpathsOfDirectory(atPath: states)) ?? []
        guard let queue = files.first(where: { $0.hasSuffix("/queue.sqlite") }) else { return 0 }
        let script =
            "import sqlite3, sys; print(sqlite3.connect(sys.argv[1], uri=True).execute('SELECT count(*) FROM records').fetchone()[0])"
        let count = try? Tool("/usr/bin/python3", ["-c", script, "file:\(states)/\(queue)?mode=ro"])
        return count.flatMap { Int($0.output.trimmingCharacters(in: .whitespacesAndNewlines)) } ?? 0
    }

    @Test func `each position of a recording arrives once, and the events conform to the schema`() async throws {
        let broker = try MosquittoServer()
        let reader = try await broker.subscribe()
        try drive(1...200)
        let run = try publish("-j \(broker.target) drive.json")
        #expect(try await run.end() == 0, "\(run.errors)")
        try await reader.wait { $0.numbers.count >= 200 }
        #expect(reader.numbers.sorted() == Array(1...200))
        // Whether the target was behind depends on whether the broker or the recording was faster.
        let changes = try Events.of("delivery", in: run.output).compactMap { $0["change"] as? String }
            .filter { $0 != "complete" }
        #expect(changes == ["connected", "ended"], "\(run.output.suffix(2000))")
        try folder.write(run.output, to: "events")
        let check = try await Locwatch.run(
            "Tests/LocwatchCommandTests/validate.py Schema/locwatch-1.schema.json --strict "
                + "<\(folder.path("events"))")
        #expect(check.code == 0 && check.output.hasPrefix("valid: "), "\(check.output)\(check.errors)")
    }

    @Test func `what is not sent at Ctrl-C stays in the queue, and the next run sends it`() async throws {
        let broker = try MosquittoServer(isStarted: false)
        let first = try publish("-q \(broker.target) -", input: true)
        first.type(RecordedDrive.text(points: 10, from: 1))
        try await first.wait { _ in storedRecords() >= 9 }
        #expect(try await first.end(by: SIGINT) == 130)
        try broker.start()
        let reader = try await broker.subscribe()
        try drive(11...20)
        let second = try publish("\(broker.target) drive.json")
        #expect(try await second.end() == 0)
        try await reader.wait { $0.numbers.contains(20) }
        let numbers = reader.numbers.sorted()
        #expect(numbers.count == Set(numbers).count && numbers.suffix(10) == Array(11...20))
        #expect(numbers.starts(with: 1...9), "\(numbers)")
    }

    @Test func `a target that is added gets only what follows`() async throws {
        let (broker, added) = (try MosquittoServer(), try MosquittoServer())
        let reader = try await added.subscribe()
        func send(_ numbers: ClosedRange<Int>, _ words: String) async throws {
            try drive(numbers)
            let run = try publish("--queue queue \(words) \(broker.target) drive.json")
            #expect(try await run.end() == 0, "\(run.errors)")
        }
        try await send(1...68, "")
        try await send(69...80, "--to \(added.target)")
        try await reader.wait { $0.numbers.count >= 12 }
        #expect(reader.numbers.sorted() == Array(69...80))
    }

    @Test func `a dead target delays no other one, is waited for at the end, which tells how much it lacks`()
        async throws
    {
        let broker = try MosquittoServer()
        let dead = try MosquittoServer(isStarted: false)
        let reader = try await broker.subscribe()
        try drive(1...50)
        let run = try publish("--to \(dead.target) --queue queue \(broker.target) drive.json")
        try await reader.wait { $0.numbers.count >= 50 }
        #expect(reader.numbers.sorted() == Array(1...50))
        #expect(try await run.end(.seconds(60)) == 69)
        let words = "waiting for \(dead.target) to take 50 records, until it takes none for 10 s"
        #expect(run.errors.contains("locwatch: \(words)"), "\(run.errors)")
        #expect(run.errors.contains("50 records not sent to \(dead.target): cannot connect"), "\(run.errors)")
        #expect(run.errors.contains("sent 50 records to \(broker.target)"), "\(run.errors)")
    }

    @Test func `Ctrl-C ends the wait for a target at the end`() async throws {
        let broker = try MosquittoServer(isStarted: false)
        try drive(1...20)
        let run = try publish("--queue memory -n 3 \(broker.target) drive.json")
        try await run.wait { $0.errors.contains("waiting for \(broker.target) to take 3 records, until it takes none") }
        #expect(try await run.end(by: SIGINT) == 130)
        #expect(run.errors.contains("3 records not sent to \(broker.target)"), "\(run.errors)")
    }

    @Test func `SIGUSR1 connects to a broker that has refused the client at once`() async throws {
        let broker = try MosquittoServer(users: ["anna": "secret"])
        let run = try publish("-j --queue memory \(broker.target) -", input: true)
        run.type(RecordedDrive.text(points: 2))
        // The next attempt is due after five minutes.
        try await run.wait(forChange: "held")
        broker.kill()
        let open = try MosquittoServer(at: broker.port)
        run.signal(SIGUSR1)
        try await run.wait(forChange: "connected")
        run.endInput()
        #expect(try await run.end() == 0, "\(run.errors)")
        withExtendedLifetime(open) {}
    }
}
