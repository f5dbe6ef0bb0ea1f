import LocationCore
package import LocwatchArguments

extension ValueSyntax where Value == OutputFormat {
    /// The syntax of a template, or of the name of a bar.
    package static let format = ValueSyntax("TEMPLATE|BAR", completion: .words(StatusBar.all.map(\.name))) { text in
        if let bar = StatusBar.all.first(where: { $0.name == text }) { return .success(bar.format) }
        return Template.read(text).map { .template($0, text) }
    }
}
