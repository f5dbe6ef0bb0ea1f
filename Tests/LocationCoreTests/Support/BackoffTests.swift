import LocationCore
import Testing

@Suite struct BackoffTests {
    /// Returns the pauses of failures in a row.
    private func pauses(_ count: Int, _ pauses: RetryPauses, waiting part: ClosedRange<Double> = 1...1) -> [Duration] {
        var backoff = Backoff(pauses, waiting: part)
        return (0..<count).map { _ in backoff.fail() }
    }

    @Test func `a pause doubles from half a second to thirty seconds`() {
        #expect(pauses(9, RetryPauses()) == [0.5, 1, 2, 4, 8, 16, 30, 30, 30].map { .seconds($0) })
        #expect(pauses(100, RetryPauses()).last == .seconds(30))
    }

    @Test func `the first and the longest pause are those that were asked for`() {
        let chosen = RetryPauses(first: .milliseconds(100), longest: .milliseconds(300))
        #expect(pauses(4, chosen) == [100, 200, 300, 300].map { .milliseconds($0) })
        #expect(pauses(2, RetryPauses(first: .seconds(60), longest: .seconds(2))) == [.seconds(2), .seconds(2)])
        #expect(pauses(3, RetryPauses(first: .zero)) == [.zero, .zero, .zero])
        #expect(pauses(2, RetryPauses(first: .seconds(-1))) == [.zero, .zero])
    }

    @Test func `a pause varies by a fifth in both directions`() {
        let drawn = pauses(2000, RetryPauses(first: .seconds(1), longest: .seconds(1), seed: 7), waiting: 0.8...1.2)
        #expect(drawn.allSatisfy { $0 >= .milliseconds(799) && $0 <= .milliseconds(1201) })
        #expect(drawn.contains { $0 < .milliseconds(810) } && drawn.contains { $0 > .milliseconds(1190) })
    }

    @Test func `a seed gives the same pauses each time, and without one they differ`() {
        func drawn(_ seed: UInt64?) -> [Duration] { pauses(8, RetryPauses(seed: seed), waiting: 0.8...1.2) }
        #expect(drawn(3) == drawn(3))
        #expect(drawn(3) != drawn(4))
        #expect(drawn(nil) != drawn(nil))
    }

    @Test func `a success begins anew, and the number of failures is that of a row`() {
        var backoff = Backoff(RetryPauses(), waiting: 1...1)
        for _ in 0..<3 { _ = backoff.fail() }
        #expect(backoff.failures == 3)
        backoff.succeed()
        #expect(backoff.failures == 0 && backoff.fail() == .milliseconds(500))
    }

    @Test func `a server's own pause counts up to the longest one, and a refusal has that`() {
        var backoff = Backoff(RetryPauses(longest: .seconds(30)), waiting: 0.1...1)
        #expect(backoff.fail(least: .seconds(20)) == .seconds(20))
        #expect(backoff.fail(least: .seconds(3600)) == .seconds(30))
        #expect(backoff.refuse() == .seconds(30) && backoff.failures == 3)
    }

    @Test func `connections that end soon after they began let the pauses grow to 16 s`() {
        var backoff = Backoff(RetryPauses(longest: .seconds(300)), waiting: 1...1)
        var pauses: [Duration] = []
        for _ in 0..<8 {
            backoff.succeed()
            backoff.noteEnd(after: .seconds(9))
            pauses.append(backoff.fail())
        }
        #expect(pauses == [0.5, 1, 2, 4, 8, 16, 16, 16].map { .seconds($0) })
        backoff.succeed()
        backoff.noteEnd(after: .seconds(10))
        #expect(backoff.fail() == .milliseconds(500))
    }
}
