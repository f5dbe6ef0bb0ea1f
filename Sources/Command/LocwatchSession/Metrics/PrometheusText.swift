import LocationCore
import LocwatchTerminal

/// An encoder of metrics as Prometheus' text format, version 0.0.4.
///
/// A family without a sample leaves no trace, because a value that is unknown is an absent series. A label never has a value
/// that changes with each report, because each value would be another series.
package struct PrometheusText {
    package static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    enum Kind: String { case gauge, counter }

    private(set) var out = TextBuffer()

    /// Appends a family of samples.
    ///
    /// - Parameters:
    ///   - name: The name of the family, with the base unit in the plural, and `_total` for a counter.
    ///   - help: A sentence without a full stop, a line break or a backslash.
    ///   - samples: Appends the samples, each with different labels.
    mutating func family(
        _ name: StaticString, _ kind: Kind, _ help: StaticString, _ samples: (inout Samples) -> Void
    ) {
        var list = Samples(name: name)
        samples(&list)
        guard list.out.count > 0 else { return }
        putHeader(name, kind, help)
        out.put(list.out.written)
    }

    private mutating func putHeader(_ name: StaticString, _ kind: Kind, _ help: StaticString) {
        for (keyword, text) in [("# HELP ", help.description), ("# TYPE ", kind.rawValue)] {
            out.put(keyword)
            out.put(name)
            out.put(UInt8(ascii: " "))
            out.put(text)
            out.put(UInt8(ascii: "\n"))
        }
    }

    struct Samples {
        typealias Label = (name: StaticString, value: String?)

        fileprivate let name: StaticString
        fileprivate var out = TextBuffer()

        fileprivate init(name: StaticString) { self.name = name }

        /// Appends a sample, unless its value is unknown or not a finite number; a label without a value is left out.
        mutating func add(_ value: Double?, _ labels: Label...) {
            guard let value, value.isFinite else { return }
            begin(labels)
            out.put(shortest: value)
            out.put(UInt8(ascii: "\n"))
        }

        mutating func add(_ value: Int?, _ labels: Label...) {
            guard let value else { return }
            begin(labels)
            out.put(value)
            out.put(UInt8(ascii: "\n"))
        }

        /// Appends a sample with 1 for true and 0 for false.
        mutating func add(_ value: Bool?, _ labels: Label...) {
            guard let value else { return }
            begin(labels)
            out.put(value ? "1\n" : "0\n")
        }

        private mutating func begin(_ labels: [Label]) {
            out.put(name)
            var separator: StaticString = "{"
            for label in labels {
                guard let value = label.value else { continue }
                out.put(separator)
                separator = ","
                out.put(label.name)
                out.put("=\"")
                put(escaped: value)
                out.put(UInt8(ascii: "\""))
            }
            if labels.contains(where: { $0.value != nil }) { out.put(UInt8(ascii: "}")) }
            out.put(UInt8(ascii: " "))
        }

        /// Appends the value of a label with visible escapes for hidden characters, because people print metrics on terminals.
        private mutating func put(escaped value: String) {
            for byte in value.printable.utf8 {
                switch byte {
                case UInt8(ascii: "\\"): out.put("\\\\")
                case UInt8(ascii: "\""): out.put("\\\"")
                default: out.put(byte)
                }
            }
        }
    }
}
