import CSQLite
import Glibc

/// SQLite, loaded into the process.
///
/// It was chosen because a queue is a database: SQLite survives kills and power cuts better than files of our own would, and an
/// administrator can open it.
///
/// `@unchecked`: the table behind the pointer never changes and is never freed.
struct SQLiteLibrary: @unchecked Sendable {
    /// The name by which the dynamic linker finds SQLite's stable interface.
    static let soname = "libsqlite3.so.0"
    /// The Debian package with it.
    static let package = "libsqlite3-0"

    let functions: locwatch_sqlite
    private let table: UnsafePointer<locwatch_sqlite>

    /// The library of this machine, or `nil` if it is missing.
    static let installed = SQLiteLibrary(soname)

    private init?(_ soname: String) {
        guard let table = locwatch_sqlite_open(soname), locwatch_sqlite_use_folders(table) != 0 else { return nil }
        functions = table.pointee
        self.table = table
    }

    /// Lets a database run nothing that its file says; returns `false` if this SQLite cannot do that.
    func distrust(_ database: OpaquePointer, longestValue: Int) -> Bool {
        locwatch_sqlite_distrust(table, database, Int32(clamping: longestValue)) == SQLITE_OK
    }

    /// The name of the files whose reads can be limited, or `nil` if there is no memory for them.
    ///
    /// They are made by the first reader of a foreign file, on the thread that opens it.
    var limitedFiles: UnsafePointer<CChar>? { locwatch_sqlite_limited_files(table) }

    /// Makes the reads of a database of those files fail while a condition is true; returns `false` if it is another database.
    func limitReads(
        of database: OpaquePointer, _ isOver: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Int32,
        _ context: UnsafeMutableRawPointer
    ) -> Bool {
        locwatch_sqlite_limit_reads(table, database, isOver, context) == SQLITE_OK
    }

    /// Returns the name by which a file in an open folder is opened: a path could lead to another folder than the one that was checked.
    static func name(of file: String, in folder: Int32) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { name in
            guard let start = name.baseAddress else { return file }
            locwatch_sqlite_name(start, name.count, folder, file)
            return String(cString: start)
        }
    }

    static func load(_ soname: String = SQLiteLibrary.soname) throws(PublishError) -> SQLiteLibrary {
        let library = soname == SQLiteLibrary.soname ? installed : SQLiteLibrary(soname)
        guard let library else { throw .missingForQueue(library: soname, package: package) }
        return library
    }
}
