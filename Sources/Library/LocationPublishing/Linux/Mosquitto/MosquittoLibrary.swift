import CMosquitto

/// libmosquitto, loaded into the process.
///
/// `@unchecked`: the table behind the pointer never changes and is never freed, and libmosquitto's functions can be called
/// from any thread as long as no two use the same client.
struct MosquittoLibrary: @unchecked Sendable {
    /// The name by which the dynamic linker finds libmosquitto's stable interface.
    static let soname = "libmosquitto.so.1"
    /// The Debian package with it.
    static let package = "libmosquitto1"

    let table: UnsafePointer<locwatch_mosquitto>
    var functions: locwatch_mosquitto { table.pointee }

    private static let shared = MosquittoLibrary(soname)

    private init?(_ soname: String) {
        guard let table = locwatch_mosquitto_open(soname) else { return nil }
        self.table = table
    }

    /// Returns the library, which is loaded once for all connections.
    static func load(_ soname: String = MosquittoLibrary.soname) throws(MQTTError) -> MosquittoLibrary {
        let library = soname == MosquittoLibrary.soname ? shared : MosquittoLibrary(soname)
        guard let library else { throw .libraryMissing(library: soname, package: package) }
        return library
    }

    /// Returns libmosquitto's text for a result.
    func text(of code: Int32) -> String {
        functions.mosquitto_strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }
}
