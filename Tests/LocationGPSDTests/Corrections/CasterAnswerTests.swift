import LocationCore
import TestSupport
import Testing

@testable import LocationGPSD

@Suite struct CasterAnswerTests {
    private func outcome(_ text: String, piece: Int = 100_000) -> CasterAnswer.Outcome {
        var answer = CasterAnswer()
        for piece in Array(text.utf8).pieces(of: piece) {
            let outcome = answer.feed(piece)
            if outcome != .incomplete { return outcome }
        }
        return .incomplete
    }

    @Test(arguments: [
        ("ICY 200 OK\r\nabc", "abc"), ("ICY 200 OK\r\n", ""), ("HTTP/1.1 200 OK\r\nA: b\r\n\r\nabc", "abc"),
        ("HTTP/1.0 200 OK\r\n\r\n", ""), ("HTTP/1.1 200 OK\r\nContent-Type: gnss/data\r\n\r\n", ""),
    ])
    func `the corrections begin after the answer`(text: String, rest: String) {
        #expect(outcome(text) == .corrections(Array(rest.utf8)))
    }

    @Test(
        arguments: [
            ("HTTP/1.0 401 Unauthorized\r\n", .password), ("HTTP/1.1 403 Forbidden\r\n", .password),
            ("ERROR - Bad Password\r\n", .password), ("SOURCETABLE 200 OK\r\n", .mountpoint),
            ("HTTP/1.1 404 Not Found\r\n", .mountpoint),
            ("HTTP/1.1 200 OK\r\nContent-Type: gnss/sourcetable\r\n\r\n", .mountpoint),
            ("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>", .answer), ("SSH-2.0-OpenSSH\r\n", .answer),
            ("HTTP/1.1 500 Internal\r\n", .answer), ("HTTP/1.1 x\r\n", .answer), ("\r\n", .answer),
            ("\u{1B}[2J\u{7}hello\n", .answer), (String(repeating: "x", count: 20_000), .answer),
            ("HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 20_000), .answer),
        ] as [(String, CorrectionsStatus.Fault)])
    func `a refusal has its cause`(text: String, fault: CorrectionsStatus.Fault) {
        for piece in [1, 7, 1000, 100_000] {
            guard case .refused(fault, let cause) = outcome(text, piece: piece) else {
                Issue.record("\(outcome(text, piece: piece))")
                continue
            }
            #expect(cause.utf8.count < 150 && !cause.unicodeScalars.contains { $0.value < 0x20 })
        }
    }

    @Test func `an answer that is not complete waits for more`() {
        #expect(outcome("ICY 200 O") == .incomplete)
        #expect(outcome("HTTP/1.1 200 OK\r\nA: b\r\n") == .incomplete)
    }

    @Test(arguments: [("0", false), ("1", true)])
    func `the table says whether the caster wants a position`(field: String, wants: Bool) {
        let other = "STR;OTHER;x;RTCM 3.2;;2;GPS;N;A;1;1;\(wants ? 0 : 1);0;s;n;B;N;1;\r\n"
        let own = "STR;MOUNT;x;RTCM 3.2;;2;GPS;N;A;1;1;\(field);0;s;n;B;N;1;\r\n"
        for piece in [1, 13, 10_000] {
            var table = CasterTable(of: "MOUNT")
            let bytes = Array(("SOURCETABLE 200 OK\r\n\r\n" + other + own).utf8)
            for piece in bytes.pieces(of: piece) { table.feed(piece) }
            #expect(table.isOver && table.wantsPosition == wants)
        }
    }

    @Test func `a table without the mountpoint wants no position`() {
        var table = CasterTable(of: "MOUNT")
        table.feed(Array("STR;MOUNT\r\nSTR;M;;;;;;;;;;1;\r\nENDSOURCETABLE\r\n".utf8))
        #expect(table.isOver && !table.wantsPosition)
    }

    @Test(arguments: ["0", "STR;OTHER;x\r\n"])
    func `a table without an end counts as read, and wants no position`(part: String) {
        let piece = Array(String(repeating: part, count: 65_536 / part.utf8.count).utf8)
        var table = CasterTable(of: "MOUNT")
        var count = 0
        while !table.isOver, count < 1000 {
            table.feed(piece)
            count += 1
        }
        #expect(table.isOver && !table.wantsPosition)
        #expect(16...64 ~= count, "no caster has more than a few hundred kilobytes")
    }

    @Test func `a request has the login and no line of its own making`() {
        let address = StreamAddress(.ntrip, host: "::1", port: 2101, user: "joe", mountpoint: "MOUNT")
        let request = String(decoding: CasterRequest.corrections(of: address, password: "s3\r\ncret"), as: UTF8.self)
        #expect(request.hasPrefix("GET /MOUNT HTTP/1.0\r\nHost: [::1]:2101\r\n"))
        #expect(request.contains("Authorization: Basic am9lOnMzDQpjcmV0\r\n"))
        #expect(!String(decoding: CasterRequest.table(of: address), as: UTF8.self).contains("Authorization"))
    }
}
