@testable import LocationPublishing
import TestSupport
import Testing

@Suite(.serialized, .alone) struct CurlLibraryTests {
    @Test func `a missing library is an error that names its package`() {
        let error = #expect(throws: HTTPError.self) { try CurlHTTPSession(library: "libcurl-missing.so.4") }
        #expect(error == .libraryMissing(library: "libcurl-missing.so.4", package: "libcurl4"))
    }

    @Test func `a library without the functions is as good as missing`() {
        let error = #expect(throws: HTTPError.self) { try CurlHTTPSession(library: "libm.so.6") }
        #expect(error == .libraryMissing(library: "libm.so.6", package: "libcurl4"))
    }

    @Test func `the library is loaded once`() throws {
        #expect(try CurlLibrary.load().table == CurlLibrary.load().table)
    }
}
