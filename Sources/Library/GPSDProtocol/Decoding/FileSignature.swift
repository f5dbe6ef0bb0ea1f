/// The kinds of files that are no receiver's log, by their first bytes.
enum FileSignature {
    /// The kinds, with the place of their bytes.
    ///
    /// Those that are shorter than three bytes could be a receiver's.
    private static let kinds: [(offset: Int, bytes: [UInt8], name: String)] = [
        (0, [0x89] + Array("PNG".utf8), "a PNG picture"),
        (0, [0xFF, 0xD8, 0xFF], "a JPEG picture"),
        (0, Array("GIF8".utf8), "a GIF picture"),
        (0, [0x49, 0x49, 0x2A, 0x00], "a TIFF picture"),
        (0, [0x4D, 0x4D, 0x00, 0x2A], "a TIFF picture"),
        (8, Array("WEBP".utf8), "a WebP picture"),
        (4, Array("ftyp".utf8), "a video or a picture"),
        (0, Array("OggS".utf8), "a sound or a video"),
        (8, Array("WAVE".utf8), "a sound"),
        (8, Array("AVI ".utf8), "a video"),
        (0, [0x1A, 0x45, 0xDF, 0xA3], "a video"),
        (0, Array("ID3".utf8), "a sound"),
        (0, Array("%PDF".utf8), "a PDF document"),
        (0, Array("PK\u{3}\u{4}".utf8), "a ZIP archive"),
        (0, Array("PK\u{5}\u{6}".utf8), "a ZIP archive"),
        (0, Array("BZh".utf8), "a bzip2 archive"),
        (0, Array("7z".utf8) + [0xBC, 0xAF], "a 7-Zip archive"),
        (0, Array("Rar!".utf8), "a RAR archive"),
        (257, Array("ustar".utf8), "a tar archive"),
        (8, Array(".FIT".utf8), "a FIT file: make a GPX of it by gpsbabel -i garmin_fit -f FILE -o gpx -F FILE.gpx"),
        (0, Array("!<arch>".utf8), "an archive of a package or a library"),
        (0, [0x7F] + Array("ELF".utf8), "a program"),
        (0, Array("SQLite format".utf8), "a SQLite database"),
        (0, [0x0A, 0x0D, 0x0D, 0x0A], "a capture of network packets"),
        (0, [0xD4, 0xC3, 0xB2, 0xA1], "a capture of network packets"),
        (0, Array("<?xml".utf8), "an XML file"),
        (0, Array("<gpx".utf8), "a GPX file"),
        (0, Array("<kml".utf8), "a KML file"),
        (0, Array("<!DOCTYPE".utf8), "an HTML page"),
        (0, Array("<html".utf8), "an HTML page"),
    ]

    /// Returns the kind of a file in words, or `nil` if its first bytes show none.
    static func kind(of beginning: [UInt8]) -> String? {
        // A byte order mark may precede the text of a file.
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let bytes = beginning.starts(with: mark) ? beginning.dropFirst(mark.count) : beginning[...]
        return kinds.first { bytes.dropFirst($0.offset).starts(with: $0.bytes) }?.name
    }
}
