import LocationCore

/// A canvas for SVG; colours are classes, so that a picture suits light and dark pages.
struct SVGCanvas {
    private var out = TextBuffer()

    var bytes: [UInt8] { out.bytes }

    /// The position of a text relative to its point.
    enum Anchor: String { case start, middle, end }

    mutating func raw(_ text: String) { out.put(text) }

    /// Opens a group that is drawn relative to a point.
    mutating func openGroup(_ x: Double, _ y: Double) { raw("<g transform=\"translate(\(n(x)) \(n(y)))\">\n") }

    mutating func close(_ element: String) { raw("</\(element)>\n") }

    mutating func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ style: String) {
        raw("<line x1=\"\(n(x1))\" y1=\"\(n(y1))\" x2=\"\(n(x2))\" y2=\"\(n(y2))\" class=\"\(style)\"/>\n")
    }

    mutating func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ style: String) {
        raw("<rect x=\"\(n(x))\" y=\"\(n(y))\" width=\"\(n(width))\" height=\"\(n(height))\" class=\"\(style)\"/>\n")
    }

    mutating func circle(_ x: Double, _ y: Double, _ radius: Double, _ style: String) {
        raw("<circle cx=\"\(n(x))\" cy=\"\(n(y))\" r=\"\(n(radius))\" class=\"\(style)\"/>\n")
    }

    mutating func text(_ text: String, _ x: Double, _ y: Double, _ style: String = "t", _ anchor: Anchor = .start) {
        raw("<text x=\"\(n(x))\" y=\"\(n(y))\" class=\"\(style)\" text-anchor=\"\(anchor.rawValue)\">")
        out.put(xml: text)
        raw("</text>\n")
    }

    mutating func path(_ points: [(Double, Double)], _ style: String, closed: Bool = false) {
        guard let first = points.first else { return }
        raw("<path class=\"\(style)\" d=\"M\(n(first.0)) \(n(first.1))")
        for point in points.dropFirst() { raw("L\(n(point.0)) \(n(point.1))") }
        raw(closed ? "Z\"/>\n" : "\"/>\n")
    }

    /// Draws many small dots at once.
    mutating func dots(_ points: [(Double, Double)], _ style: String) {
        raw("<path class=\"\(style)\" d=\"")
        for point in points { raw("M\(n(point.0)) \(n(point.1))h0") }
        raw("\"/>\n")
    }

    private func n(_ value: Double) -> String {
        TextBuffer.text { $0.put(trimmed: value, decimals: 1) }
    }
}
