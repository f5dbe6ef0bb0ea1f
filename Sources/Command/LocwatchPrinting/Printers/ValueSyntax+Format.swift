import LocationCore
package import LocwatchArguments
import LocwatchTerminal

extension ValueSyntax where Value == OutputFormat {
    /// The options of the formats that have one of their own, by the words that users try instead.
    private static var otherFormats: [String: String] { ["json": "-j", "csv": "--csv"] }

    package static let format = ValueSyntax(
        "TEMPLATE|BAR", completion: .words(StatusBar.all.map(\.name) + ["influx", "text"])
    ) { text throws(UsageError) in
        if text == "text" { return .text }
        if text == "influx" { return .influx }
        if let bar = StatusBar.all.first(where: { $0.name == text }) { return bar.format }
        // A template without a value prints the same line each time, so a word is meant as a name.
        if !text.contains(where: { " %{}\\".contains($0) }) {
            let bars = StatusBar.all.map(\.name) + ["influx"]
            throw UsageError(
                allowed: "a template such as '%{lat} %{lon}', or \(EnglishList.or(bars))",
                suggestion: otherFormats[text.lowercased()] ?? Spelling.nearest(to: text, among: bars))
        }
        if let name = Template.nameWithoutBraces(in: text) {
            throw UsageError(allowed: "braces around a name, as in %{\(name)}; a plain %\(name) is written %%\(name)")
        }
        return .template(try Template.read(text), text)
    }
}
