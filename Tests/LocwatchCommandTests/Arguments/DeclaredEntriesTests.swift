import Foundation
import TestSupport
import Testing

/// Tests that each declaration of a command, a format, a field and so on is an entry of its table.
///
/// They read the sources, because the program does not know a declaration that its table lacks.
@Suite(.serialized, .alone) struct DeclaredEntriesTests {
    /// A kind of declarations, and the text that lists them.
    struct OpenTable: CustomTestStringConvertible, Sendable {
        /// The name of the table in messages.
        let name: String
        /// The folder or file below `Sources` with the declarations.
        let place: String
        /// A pattern whose group is the name of a declaration.
        let declaration: String
        /// A pattern that matches an entry of the list, in which NAME is the declaration.
        let entry: String
        /// The file below `Sources` with the list.
        let file: String
        /// The beginning of the list in the file, or `nil` if the whole file is the list.
        var list: String?

        var testDescription: String { name }
    }

    private static let command = "Command/LocwatchCommand"
    private static let tracks = "Library/LocationTracks"
    private static let scenarios = "Library/GPSDSimulation/Scenario"
    private static let location = "Library/LocationCore/Model/Location.swift"
    private static let details = "Library/LocationCore/Model/LocationDetails.swift"

    static let tables = [
        OpenTable(
            name: "CommandTable.all", place: command, declaration: #"(?:class|struct|enum) (\w+): Command\b"#,
            entry: #"NAME\.self"#, file: "\(command)/Arguments/CommandTable.swift", list: "static let all"),
        OpenTable(
            name: "SourceTable.all", place: "Command/LocwatchArguments",
            declaration: #"(?:class|struct|enum) (\w+): SourceKind\b"#,
            entry: #"NAME\.self"#, file: "Command/LocwatchArguments/Sources/Source.swift", list: "static let all"),
        OpenTable(
            name: "BoxTable.all", place: command, declaration: #"struct (\w+): MonitorBox\b"#,
            entry: #"NAME\.self"#, file: "\(command)/Commands/Monitor/Boxes/MonitorBox.swift", list: "static let all"),
        OpenTable(
            name: "Check.all", place: "\(command)/Commands/Doctor", declaration: #"(?:enum|struct) (\w+Check) \{"#,
            entry: #"\bNAME\.examine\b"#, file: "\(command)/Commands/Doctor/Finding.swift"),
        OpenTable(
            name: "TrackFormat.allCases", place: tracks, declaration: #"static let (\w+) = TrackFormat\("#,
            entry: #"\bNAME\b"#, file: "\(tracks)/Formats/TrackFormat.swift", list: "static let allCases"),
        OpenTable(
            name: "a TrackFormat", place: tracks, declaration: #"struct (\w+): TrackWriter\b"#,
            entry: #"writer: NAME\.self"#, file: tracks),
        OpenTable(
            name: "XMLFormat.all", place: tracks, declaration: #"static let (\w+) = XMLFormat\("#,
            entry: #"\bNAME\b"#, file: "\(tracks)/Reading/XML/XMLFormat.swift", list: "static let all"),
        OpenTable(
            name: "TrackReader", place: tracks, declaration: #"class (\w+): TrackFormatReader\b"#,
            entry: #"\bNAME\("#, file: "\(tracks)/Reading/TrackReader.swift"),
        OpenTable(
            name: "StatusBar.all", place: "Command/LocwatchPrinting", declaration: #"static let (\w+) = StatusBar\("#,
            entry: #"\bNAME\b"#, file: "Command/LocwatchPrinting/Bars/StatusBar.swift", list: "static let all"),
        OpenTable(
            name: "an OutputFormat", place: "Command/LocwatchPrinting", declaration: #"struct (\w+): EventPrinter\b"#,
            entry: #"\bNAME\("#, file: "Command/LocwatchPrinting"),
        OpenTable(
            name: "ReceiverScenario.all", place: scenarios,
            declaration: #"static let (\w+)(?:: ReceiverScenario = \{| = ReceiverScenario\()"#,
            entry: #"\bNAME\b"#, file: "\(scenarios)/ReceiverScenario+Named.swift", list: "static let all"),
        OpenTable(
            name: "TargetParameter.all", place: "Library/LocationPublishing",
            declaration: #"static let (\w+) = TargetParameter\("#,
            entry: #"\bNAME\b"#, file: "Library/LocationPublishing/Targets/TargetParameter.swift"),
        OpenTable(
            name: "Location.fields", place: location, declaration: #"@OptionalDouble public var (\w+)"#,
            entry: #"\._NAME\b"#, file: location, list: "static let fields"),
        OpenTable(
            name: "LocationDetails.fields", place: details, declaration: #"@OptionalDouble package var (\w+)"#,
            entry: #"\._NAME\b"#, file: details, list: "static let fields"),
        OpenTable(
            name: "LocationDetails.fields", place: details, declaration: #"package var (\w+)(?:: Int\?| = Vector3)"#,
            entry: #"\.NAME\b"#, file: details, list: "static let fields"),
    ]

    @Test(arguments: tables)
    func `every declared entry is in its table`(_ table: OpenTable) throws {
        let text = try Self.text(table.place)
        let names = try NSRegularExpression(pattern: table.declaration)
            .matches(in: text, range: NSRange(text.startIndex..., in: text))
            .compactMap { Range($0.range(at: 1), in: text).map { text[$0] } }
        try #require(!names.isEmpty, "\(table.declaration) is nowhere in \(table.place)")
        var list = try Self.text(table.file)
        if let beginning = table.list { list = String(try #require(Self.list(beginning, in: list))) }
        for name in names {
            let entry = table.entry.replacing("NAME", with: name)
            let isListed = list.range(of: entry, options: .regularExpression) != nil
            #expect(isListed, "\(name) is declared in \(table.place), but is not in \(table.name)")
        }
    }

    /// Returns the text of a file below `Sources`, or of all files of a folder.
    private static func text(_ place: String) throws -> String {
        let url = Golden.package.appending(path: "Sources/\(place)")
        if place.hasSuffix(".swift") { return try String(contentsOf: url, encoding: .utf8) }
        let paths = try #require(FileManager.default.subpaths(atPath: url.path))
        return try paths.filter { $0.hasSuffix(".swift") }.sorted()
            .map { try String(contentsOf: url.appending(path: $0), encoding: .utf8) }.joined(separator: "\n")
    }

    /// Returns the array literal after a text.
    private static func list(_ beginning: String, in text: String) -> Substring? {
        guard let start = text.firstRange(of: beginning)?.upperBound,
            let opening = text[start...].firstRange(of: "= ["),
            let end = text[opening.upperBound...].firstRange(of: "]\n")
        else { return nil }
        return text[opening.upperBound..<end.lowerBound]
    }
}
