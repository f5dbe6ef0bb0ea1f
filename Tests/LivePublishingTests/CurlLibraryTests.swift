@testable import LocationPublishing
import TestSupport
import Testing

@Suite(.serialized, .alone) struct CurlLibraryTests {
    @Test(arguments: ["libcurl-missing.so.4", "libm.so.6"])
    func `a library that is missing, or without the functions, is an error that names its package`(library: String) {
        let error = #expect(throws: HTTPError.self) { try CurlHTTPSession(library: library) }
        #expect(error == .libraryMissing(library: library, package: "libcurl4"))
    }
}
