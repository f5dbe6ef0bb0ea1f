@testable import LocationPublishing
import TestSupport
import Testing

@Suite(.serialized, .alone) struct MosquittoLibraryTests {
    @Test(arguments: ["libmosquitto-missing.so.1", "libm.so.6"])
    func `a library that is missing, or without the functions, is an error that names its package`(library: String) {
        let settings = MQTTSettings(host: "127.0.0.1", clientID: "test")
        let error = #expect(throws: MQTTError.self) { try MosquittoConnection(settings, library: library) }
        #expect(error == .libraryMissing(library: library, package: "libmosquitto1"))
    }
}
