import CSQLite
import LocationCore

/// An open database, whose file is not trusted: it runs nothing that the file says, and no statement goes on for ever.
///
/// One thread at a time may use it and its statements.
package final class SQLiteDatabase {
    /// The size of the largest value that is read or written.
    package static let longestValue = 1 << 20
    /// The steps that a statement may take on a small database, by default.
    package static let usualSteps = 10_000_000
    /// The memory of SQLite in a process that reads a foreign file, whose schema is in memory as a whole.
    private static let memoryOfReader = 32 << 20

    private let functions: locwatch_sqlite
    private let handle: OpaquePointer
    private let path: String
    private let effort: Effort

    /// Opens a file that exists.
    ///
    /// - Parameters:
    ///   - path: The path that errors name.
    ///   - name: The name by which SQLite opens the file, if that is another one.
    ///   - steps: The steps that a statement may take, to which `allowSteps(forSize:)` adds.
    convenience init(
        _ library: SQLiteLibrary, _ path: String, named name: String? = nil, steps: Int = SQLiteDatabase.usualSteps
    ) throws(PublishError) {
        let effort = Effort(steps: steps, interval: 100_000)
        try self.init(library, path, opening: name ?? path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW, nil, effort)
    }

    /// Opens a file of another program for reading, which no program changes meanwhile.
    ///
    /// No file beside it is read: a database is read without the changes that are in a log of SQLite only.
    ///
    /// - Parameters:
    ///   - steps: The steps that a statement may take, which are counted in hundreds.
    ///   - time: The time that the first statements may take together, until `allow(_:)` gives more.
    ///   - now: Returns the time.
    package convenience init(
        reading path: String, steps: Int, time: Duration, now: @escaping () -> ContinuousClock.Instant
    ) throws(PublishError) {
        guard let library = SQLiteLibrary.installed else {
            let need = "it needs \(SQLiteLibrary.soname): apt-get install \(SQLiteLibrary.package)"
            throw .file("use", path, need, .transport)
        }
        let name = "file:\(path.hasPrefix("/") ? "//" : "")\(Self.escaped(path))?immutable=1"
        guard let files = library.limitedFiles else {
            throw .file("use", path, "there is no memory for it", .transport)
        }
        let effort = Effort(steps: steps, interval: 100, now: now)
        try self.init(library, path, opening: name, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, files, effort)
        effort.allow(time)
        guard library.limitReads(of: handle, Effort.isLate, Unmanaged.passUnretained(effort).toOpaque()) else {
            throw damage("its reads cannot be limited")
        }
        // Before the first statement that reads the schema.
        try run("PRAGMA hard_heap_limit = \(Self.memoryOfReader)")
        try run("PRAGMA cell_size_check = ON")
        try run("PRAGMA cache_size = -1024")
        try run("PRAGMA automatic_index = OFF")
    }

    private init(
        _ library: SQLiteLibrary, _ path: String, opening name: String, _ flags: Int32,
        _ files: UnsafePointer<CChar>?, _ effort: Effort
    ) throws(PublishError) {
        functions = library.functions
        (self.path, self.effort) = (path, effort)
        var handle: OpaquePointer?
        // The caller serializes its calls.
        let code = functions.sqlite3_open_v2(name, &handle, flags | SQLITE_OPEN_NOMUTEX, files)
        guard code == SQLITE_OK, let opened = handle else {
            let failure = Self.failure(code, handle, functions, path)
            _ = functions.sqlite3_close_v2(handle)
            throw failure
        }
        self.handle = opened
        guard library.distrust(opened, longestValue: Self.longestValue) else {
            throw .file("use", path, "\(SQLiteLibrary.package) is too old", .transport)
        }
        let context = Unmanaged.passUnretained(effort).toOpaque()
        functions.sqlite3_progress_handler(opened, effort.interval, Effort.note, context)
    }

    // The statements are finalized first, or SQLite closes with the last of them.
    deinit { _ = functions.sqlite3_close_v2(handle) }

    /// Whether the file has another name now, or was removed.
    var hasMoved: Bool {
        var moved: Int32 = 0
        return functions.sqlite3_file_control(handle, nil, SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved != 0
    }

    /// Lets each statement take the steps that a database of a size can need.
    func allowSteps(forSize size: Int) { effort.allow(forSize: size) }

    /// Lets the statements that follow take a time together, if the time is limited.
    package func allow(_ time: Duration) { effort.allow(time) }

    /// Performs a statement until it has no more rows.
    package func run(_ text: String) throws(PublishError) { try prepare(text).run() }

    /// Returns a statement that can be performed any number of times.
    package func prepare(_ text: String) throws(PublishError) -> Statement {
        var statement: OpaquePointer?
        // The first statement reads the schema.
        effort.begin()
        let code = functions.sqlite3_prepare_v2(handle, text, -1, &statement, nil)
        guard code == SQLITE_OK, let statement else { throw failure(code) }
        return Statement(self, statement)
    }

    /// Returns a path in which each byte that has a meaning in a URI is escaped.
    private static func escaped(_ path: String) -> String {
        path.utf8.reduce(into: "") { text, byte in
            let isPlain = byte.isLetterOrDigit || "/._-".utf8.contains(byte)
            text += isPlain ? String(Unicode.Scalar(byte)) : "%\(byte.hexadecimal)"
        }
    }

    /// Returns the error of content that is not the expected one.
    package func damage(_ message: String) -> PublishError { .database(SQLITE_CORRUPT, message, path) }

    private func failure(_ code: Int32) -> PublishError {
        // The kind of the failure depends on where the statement was.
        if effort.isLate { return .database(SQLITE_ABORT, "it takes too long to read", path) }
        return Self.failure(code, handle, functions, path)
    }

    private static func failure(
        _ code: Int32, _ handle: OpaquePointer?, _ functions: locwatch_sqlite, _ path: String
    ) -> PublishError {
        guard let handle else { return .database(code, "there is no memory for it", path) }
        let message = functions.sqlite3_errmsg(handle).map { String(cString: $0) } ?? "unknown error"
        return .database(functions.sqlite3_extended_errcode(handle), message, path)
    }

    /// The steps that a statement may take, of which even a small damaged file can ask for any number, and the time.
    private final class Effort {
        /// The number of steps after which they are counted.
        ///
        /// A hundred thousand take a millisecond or two, unless one of them reads many pages.
        let interval: Int32
        /// The size beyond which no more steps are allowed.
        private static let largest = 1 << 30

        /// The steps of a statement on a small database.
        private let least: Int
        private var allowed: Int
        private var left: Int

        /// Returns the time, if that is limited.
        private let now: (() -> ContinuousClock.Instant)?
        private var end: ContinuousClock.Instant?

        /// Allows some steps; the usual ones take a fraction of a second.
        init(steps: Int, interval: Int32, now: (() -> ContinuousClock.Instant)? = nil) {
            (least, allowed, left) = (steps, steps, steps)
            (self.interval, self.now) = (interval, now)
        }

        func allow(_ time: Duration) { end = now.map { $0() + time } }

        var isLate: Bool {
            guard let now, let end else { return false }
            return now() > end
        }

        /// A statement takes some ten steps for each record, which has 60 bytes or more.
        func allow(forSize size: Int) { allowed = least + min(size, Self.largest) }

        func begin() { left = allowed }

        /// Counts the steps, and returns whether the statement ends; SQLite calls it on the thread of the statement.
        static let note: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { context in
            guard let context else { return 0 }
            let effort = Unmanaged<Effort>.fromOpaque(context).takeUnretainedValue()
            effort.left -= Int(effort.interval)
            return effort.left < 0 || effort.isLate ? 1 : 0
        }

        /// Returns whether the time is over; SQLite calls it before each read.
        static let isLate: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { context in
            guard let context else { return 0 }
            return Unmanaged<Effort>.fromOpaque(context).takeUnretainedValue().isLate ? 1 : 0
        }
    }

    package final class Statement {
        private let database: SQLiteDatabase
        private let handle: OpaquePointer
        private var functions: locwatch_sqlite { database.functions }

        fileprivate init(_ database: SQLiteDatabase, _ handle: OpaquePointer) {
            self.database = database
            self.handle = handle
        }

        deinit { _ = functions.sqlite3_finalize(handle) }

        /// Sets the value of a parameter, counted from 1.
        package func bind(_ number: Int64, at place: Int32) { _ = functions.sqlite3_bind_int64(handle, place, number) }

        /// Sets the value of a parameter, counted from 1.
        func bind(_ number: Double, at place: Int32) { _ = functions.sqlite3_bind_double(handle, place, number) }

        /// Sets the value of a parameter, counted from 1, to text in UTF-8.
        package func bind(_ text: [UInt8], at place: Int32) {
            // SQLite copies the text: the destructor −1 is its SQLITE_TRANSIENT.
            let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            text.withUnsafeBytes { bytes in
                let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
                _ = functions.sqlite3_bind_text(handle, place, start, Int32(clamping: bytes.count), copies)
            }
        }

        /// Performs the statement until it has no more rows.
        package func run() throws(PublishError) { try forEachRow { _ in true } }

        /// Performs the statement, and calls `body` with each row until it returns `false`.
        package func forEachRow(_ body: (Statement) -> Bool) throws(PublishError) {
            defer { _ = functions.sqlite3_reset(handle) }
            database.effort.begin()
            while true {
                switch functions.sqlite3_step(handle) {
                case SQLITE_ROW: if !body(self) { return }
                case SQLITE_DONE: return
                case let code: throw database.failure(code)
                }
            }
        }

        /// Performs the statement, and returns the number in the first row, if there is one.
        package func number() throws(PublishError) -> Int64? {
            var number: Int64?
            try forEachRow {
                number = $0.number(at: 0)
                return false
            }
            return number
        }

        package func number(at column: Int32) -> Int64 { functions.sqlite3_column_int64(handle, column) }

        package func text(at column: Int32) -> String { withText(at: column) { String(decoding: $0, as: UTF8.self) } }

        func withText<Result>(at column: Int32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
            body(value(functions.sqlite3_column_text(handle, column), column))
        }

        /// Returns the bytes of a value as they are stored.
        package func bytes(at column: Int32) -> [UInt8] {
            Array(value(functions.sqlite3_column_blob(handle, column), column))
        }

        private func value(_ start: UnsafeRawPointer?, _ column: Int32) -> UnsafeRawBufferPointer {
            let count = Int(functions.sqlite3_column_bytes(handle, column))
            return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
        }
    }
}

extension PublishError {
    /// Creates the failure of a database from the code and the message of SQLite.
    fileprivate static func database(_ code: Int32, _ message: String, _ path: String) -> PublishError {
        let cause = Cause.database(code: code, message: message)
        return .file(cause.isOfDisk ? "write" : "use", path, message, cause)
    }
}

extension PublishError.Cause {
    /// Whether the database is damaged, or its file of another kind.
    ///
    /// The statements are right, so an error in one of them comes of a damaged schema.
    var isDamage: Bool {
        isDatabase([SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_INTERRUPT, SQLITE_TOOBIG])
    }

    /// Whether a value is larger than any of a queue.
    var isTooLarge: Bool { isDatabase([SQLITE_TOOBIG]) }

    /// Whether a statement takes more steps than it may.
    package var isTooLong: Bool { isDatabase([SQLITE_INTERRUPT]) }

    /// Whether the statements take more time than they may together.
    package var isTooSlow: Bool { isDatabase([SQLITE_ABORT]) }

    /// Whether another program is writing the database.
    var isLocked: Bool { isDatabase([SQLITE_BUSY]) }

    /// Whether a record with the same number is there already.
    var isTaken: Bool { isDatabase([SQLITE_CONSTRAINT]) }

    /// Whether the header of the file, or its rights, say that it is read only.
    var isReadOnly: Bool { if case .database(SQLITE_READONLY, _) = self { true } else { false } }

    /// Whether the disk is full or has failed.
    package var isOfDisk: Bool { self == .disk || isDatabase([SQLITE_FULL, SQLITE_IOERR]) }

    private func isDatabase(_ codes: [Int32]) -> Bool {
        if case .database(let code, _) = self { codes.contains(code & 0xFF) } else { false }
    }
}
