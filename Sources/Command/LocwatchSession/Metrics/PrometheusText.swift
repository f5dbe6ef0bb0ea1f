import LocationCore
import LocwatchTerminal

/// An encoder of metrics as Prometheus' text format, version 0.0.4.
///
/// A family without a sample leaves no trace, because a value that is unknown is an absent series. A label never has a value
/// that changes with each report, because each value would be another series.
package struct PrometheusText {
    package static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    enum MetricKind: String { case gauge, counter }

    typealias Label = (name: StaticString, value: String?)

    private(set) var out = TextBuffer()
    private var name: StaticString = ""
    /// The kind and the help of the family, until its first sample.
    private var header: (kind: MetricKind, help: StaticString)?

    /// Begins a family of samples, which follow with different labels.
    ///
    /// - Parameters:
    ///   - name: The name of the family, with the base unit in the plural, and `_total` for a counter.
    ///   - help: A sentence without a full stop, a line break or a backslash.
    mutating func family(_ name: StaticString, _ kind: MetricKind, _ help: StaticString) {
        self.name = name
        header = (kind, help)
    }

    /// Appends a sample, unless its value is unknown or not a finite number; a label without a value is left out.
    mutating func add(_ value: Double?, _ labels: Label...) {
        guard let value, value.isFinite else { return }
        begin(labels)
        out.put(shortest: value)
        out.put("\n")
    }

    mutating func add(_ value: Int?, _ labels: Label...) {
        guard let value else { return }
        begin(labels)
        out.put(value)
        out.put("\n")
    }

    /// Appends a sample with 1 for true and 0 for false.
    mutating func add(_ value: Bool?, _ labels: Label...) {
        guard let value else { return }
        begin(labels)
        out.put(value ? "1\n" : "0\n")
    }

    private mutating func begin(_ labels: [Label]) {
        if let (kind, help) = header.take() { out.put("# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n") }
        out.put(name)
        var separator: StaticString = "{"
        for label in labels {
            guard let value = label.value else { continue }
            out.put(separator)
            separator = ","
            out.put(label.name)
            out.put("=\"")
            put(escaped: value)
            out.put("\"")
        }
        out.put(labels.contains { $0.value != nil } ? "} " : " ")
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
