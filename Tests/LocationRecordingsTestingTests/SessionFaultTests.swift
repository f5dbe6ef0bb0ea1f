import LocationCore
import LocationRecordingsTesting
import LocationTesting
import Testing

@Suite struct SessionFaultTests {
    private static let session = "one\ntwo\nthree\nfour"

    @Test(arguments: [
        (SessionFault.cut(afterLines: 2), "one\ntwo\n"),
        (.cut(afterLines: 0), ""),
        (.cut(afterLines: 99), session),
        (.cut(afterLines: -1), ""),
        (.tear(line: 3, atByte: 2), "one\ntwo\nth"),
        (.tear(line: 3, atByte: 99), "one\ntwo\nthree\n"),
        (.tear(line: 5, atByte: 1), session),
        (.lose(line: 2), "one\nthree\nfour"),
        (.lose(line: 0), session),
        (.repeatLine(2), "one\ntwo\ntwo\nthree\nfour"),
        (.repeatLine(2, times: 0), "one\nthree\nfour"),
        (.repeatLine(9), session),
        (.delay(line: 1, behind: 2), "two\nthree\none\nfour"),
        (.delay(line: 2, behind: 99), "one\nthree\nfourtwo\n"),
        (.delay(line: 9, behind: 1), session),
        (.joinWithNext(line: 1), "onetwo\nthree\nfour"),
        (.joinWithNext(line: 4), session),
        (.insert(Array("$GP,".utf8), beforeLine: 2), "one\n$GP,two\nthree\nfour"),
        (.insert([0], beforeLine: 5), session),
        (.corrupt(bytes: 0, seed: 1), session),
    ])
    func `a fault changes the bytes as described`(fault: SessionFault, result: String) {
        #expect(String(decoding: fault.applied(to: Array(Self.session.utf8)), as: UTF8.self) == result)
    }

    @Test func `a shuffle keeps all lines and is reproducible for its seed`() {
        let bytes = (1...20).flatMap { Array("line \($0)\n".utf8) }
        let shuffled = SessionFault.shuffle(seed: 1).applied(to: bytes)
        #expect(shuffled != bytes)
        #expect(
            shuffled.split(separator: 10).map(Array.init).sorted { $0.lexicographicallyPrecedes($1) }
                == bytes.split(separator: 10).map(Array.init).sorted { $0.lexicographicallyPrecedes($1) })
        #expect(shuffled == SessionFault.shuffle(seed: 1).applied(to: bytes))
        #expect(shuffled != SessionFault.shuffle(seed: 2).applied(to: bytes))
    }

    @Test func `corrupting changes at most the given number of bytes and is reproducible for its seed`() {
        let bytes = [UInt8](repeating: 65, count: 1000)
        let corrupted = SessionFault.corrupt(bytes: 20, seed: 3).applied(to: bytes)
        #expect((10...20).contains(zip(bytes, corrupted).count { $0 != $1 }))
        #expect(corrupted == SessionFault.corrupt(bytes: 20, seed: 3).applied(to: bytes))
        #expect(SessionFault.corrupt(bytes: 5, seed: 3).applied(to: []) == [])
    }

    @Test func `faults are applied in order`() {
        let faults = [SessionFault.lose(line: 1), .cut(afterLines: 1)]
        #expect(faults.applied(to: Array(Self.session.utf8)) == Array("two\n".utf8))
    }
}

@Suite struct SplitMix64Tests {
    @Test func `the generator produces the reference values of SplitMix64`() {
        var random = SplitMix64(seed: 1_234_567)
        // The first values of the reference implementation for this seed.
        let expected: [UInt64] = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        #expect((0..<3).map { _ in random.next() } == expected)
    }
}
