import Foundation
import TestSupport
import Testing

/// Comparisons of texts that people and scripts read with files beside the tests.
///
/// With LOCWATCH_WRITE_GOLDEN=1 the files are rewritten; check the difference before committing it.
enum Golden {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")
    static let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        .standardizedFileURL

    static func expect(_ text: String, is name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let file = folder.appending(path: name)
        if ProcessInfo.processInfo.environment["LOCWATCH_WRITE_GOLDEN"] == "1" {
            try Data(text.utf8).write(to: file)
        }
        let kept = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        // An expectation of two texts compares them by character when it fails, which takes minutes for the manual page.
        if text != kept {
            let difference = difference(from: kept, to: text).joined(separator: "\n")
            Issue.record("Golden/\(name) differs:\n\(difference)\n\(advice)", sourceLocation: sourceLocation)
        }
    }

    private static let advice =
        "LOCWATCH_WRITE_GOLDEN=1 make test ARGS='--filter LocwatchCommandTests' writes the file again"

    /// The maximum number of lines of a difference.
    private static let most = 36
    /// The columns after which a line of a difference is cut.
    private static let columns = 160

    /// Returns the first lines in which two texts differ: those of the old text with a minus, those of the new one with a plus.
    static func difference(from old: String, to new: String) -> [String] {
        let (old, new) = (lines(old), lines(new))
        let start = zip(old, new).prefix { $0 == $1 }.count
        let same = zip(old.dropFirst(start).reversed(), new.dropFirst(start).reversed()).prefix { $0 == $1 }.count
        // A comparison of all lines would take long if most of them differ.
        let removed = Array(old.dropFirst(start).dropLast(same).prefix(200))
        let added = Array(new.dropFirst(start).dropLast(same).prefix(200))
        var (shown, position) = (["line \(start + 1):"], 0)
        var (gone, come) = (Set<Int>(), Set<Int>())
        for change in added.difference(from: removed) {
            switch change {
            case .remove(let offset, _, _): gone.insert(offset)
            case .insert(let offset, _, _): come.insert(offset)
            }
        }
        for (index, line) in removed.enumerated() {
            if gone.contains(index) {
                shown.append("-\(line.prefix(columns))")
                continue
            }
            while come.contains(position) {
                shown.append("+\(added[position].prefix(columns))")
                position += 1
            }
            position += 1
        }
        shown += added.dropFirst(position).map { "+\($0.prefix(columns))" }
        return shown.count <= most ? shown : shown.prefix(most) + ["and more"]
    }

    private static func lines(_ text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
    }
}

@Suite(.serialized, .alone) struct GoldenTests {
    @Test func `a difference names the changed lines and no others`() {
        let old = "first\nsecond\nthird\nfourth\nfifth\n"
        let new = "first\nsecond\nthe third\nfourth\nfifth\nsixth\n"
        #expect(Golden.difference(from: old, to: new) == ["line 3:", "-third", "+the third", "+sixth"])
        #expect(Golden.difference(from: new, to: old) == ["line 3:", "-the third", "+third", "-sixth"])
        #expect(Golden.difference(from: "a\n", to: "a") == ["line 2:", "-"])
    }

    @Test func `a difference of long texts has at most 40 lines of 161 columns`() {
        func text(_ word: String) -> String {
            String(repeating: String(repeating: word, count: 50) + "\n", count: 3000)
        }
        let difference = Golden.difference(from: text("old "), to: text("new "))
        #expect(difference.count <= 40 && difference.last == "and more")
        #expect(difference.allSatisfy { $0.count <= 161 })
    }
}
