import CMicrohttpd

/// libmicrohttpd, loaded into the process.
struct MicrohttpdLibrary {
    /// The name by which the dynamic linker finds libmicrohttpd's stable interface.
    static let soname = "libmicrohttpd.so.12"
    /// The Debian package with it.
    static let package = "libmicrohttpd12"

    let table: OpaquePointer

    /// Loads the library, or returns `nil` if it is missing.
    init?(_ soname: String = MicrohttpdLibrary.soname) {
        guard let table = locwatch_microhttpd_open(soname) else { return nil }
        self.table = table
    }
}
