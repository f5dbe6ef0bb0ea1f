import CCurl

/// libcurl, loaded into the process.
///
/// `@unchecked`: the table behind the pointer never changes and is never freed, and libcurl's functions can be called from any
/// thread as long as no two use the same transfer.
struct CurlLibrary: @unchecked Sendable {
    /// The name by which the dynamic linker finds libcurl's stable interface.
    static let soname = "libcurl.so.4"
    /// The Debian package with it.
    static let package = "libcurl4"

    let table: UnsafePointer<locwatch_curl>
    var functions: locwatch_curl { table.pointee }

    private static let shared = CurlLibrary(soname)

    private init?(_ soname: String) {
        guard let table = locwatch_curl_open(soname) else { return nil }
        self.table = table
    }

    /// Returns the library, which is loaded once for all sessions.
    static func load(_ soname: String = CurlLibrary.soname) throws(HTTPError) -> CurlLibrary {
        let library = soname == CurlLibrary.soname ? shared : CurlLibrary(soname)
        guard let library else { throw .libraryMissing(library: soname, package: package) }
        return library
    }

    /// Returns libcurl's text for a result.
    func text(of code: CURLcode) -> String {
        functions.curl_easy_strerror(code).map { String(cString: $0) } ?? "error \(code.rawValue)"
    }
}
