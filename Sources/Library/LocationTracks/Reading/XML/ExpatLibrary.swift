import CExpat

/// libexpat, loaded into the process.
///
/// It was chosen because it reads XML in pieces, is a dependency of nearly every Debian system, and needs nothing but libc:
/// libxml2 is ten times as large, and a reader of XML of our own would have to earn the trust that libexpat has.
///
/// `@unchecked`: the table behind the pointer never changes and is never freed, and a parser is used by one thread at a time.
struct ExpatLibrary: @unchecked Sendable {
    /// The name by which the dynamic linker finds libexpat's stable interface.
    static let soname = "libexpat.so.1"
    /// The Debian package with it.
    static let package = "libexpat1"

    let table: OpaquePointer

    private static let shared = ExpatLibrary(soname)

    private init?(_ soname: String) {
        guard let table = locwatch_expat_open(soname) else { return nil }
        self.table = table
    }

    /// Returns the library, which is loaded once, or `nil` if it is not installed.
    static func load(_ soname: String = ExpatLibrary.soname) -> ExpatLibrary? {
        soname == ExpatLibrary.soname ? shared : ExpatLibrary(soname)
    }
}
