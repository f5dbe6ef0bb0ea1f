@testable import LocationPublishing
import TestSupport
import Testing

@Suite(.serialized, .alone) struct MosquittoLibraryTests {
    private let settings = MQTTSettings(host: "127.0.0.1", clientID: "test")

    @Test func `a missing library is an error that names its package`() {
        let error = #expect(throws: MQTTError.self) {
            try MosquittoConnection(settings, library: "libmosquitto-missing.so.1")
        }
        #expect(error == .libraryMissing(library: "libmosquitto-missing.so.1", package: "libmosquitto1"))
    }

    @Test func `a library without the functions is as good as missing`() {
        let error = #expect(throws: MQTTError.self) { try MosquittoConnection(settings, library: "libm.so.6") }
        #expect(error == .libraryMissing(library: "libm.so.6", package: "libmosquitto1"))
    }

    @Test func `the library is loaded once`() throws {
        #expect(try MosquittoLibrary.load().table == MosquittoLibrary.load().table)
    }
}
