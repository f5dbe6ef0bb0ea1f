import Glibc
import LocationPublishing
import TestSupport
import Testing

@Suite(.serialized, .alone) struct CurlLoadTests {
    @Test func `many requests in turn do not make the process grow`() async throws {
        let server = try HTTPServer()
        let client = try HTTPClient.direct()
        let body = [UInt8](repeating: UInt8(ascii: "x"), count: 2000)
        var before = 0
        for number in 0..<1100 {
            if number == 100 { before = try #require(RunningProcess.own.memory) }
            let response =
                number % 2 == 0
                ? try await client.post(server.url("/echo"), body: body, contentType: "text/plain")
                : try await client.get(server.url("/gzip"))
            try #require(response.status == 200)
        }
        let growth = try #require(RunningProcess.own.memory) - before
        // A sanitizer keeps freed memory, and detects leaks itself.
        let isSanitized = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
        #expect(growth < 1_000_000 || isSanitized, "\(growth) bytes after 1000 requests")
        #expect(try await client.get(server.url("/count/connections")).text == "1")
    }

    @Test func `100 requests side by side are answered, each with its own response`() async throws {
        let server = try HTTPServer()
        let client = try HTTPClient.direct()
        try await withThrowingTaskGroup { group in
            for number in 0..<100 {
                group.addTask {
                    let body = Array("number \(number)".utf8)
                    let response = try await client.post(server.url("/echo"), body: body, contentType: "text/plain")
                    #expect(response.body.suffix(body.count).elementsEqual(body))
                }
            }
            try await group.waitForAll()
        }
        #expect(try await server.count("requests") == 100)
    }
}
