import LocationCore
package import LocationTracks
package import LocwatchTerminal

/// The error of a mean position in words.
package struct MeanText {
    private let radius: Double?
    private let bound: Double?
    private let style: TextStyle

    /// - Parameter bound: The accuracy in metres that the receiver reports, which holds if the time is too short to tell.
    package init(_ error: MeanError?, bound: Double?, _ style: TextStyle) {
        self.init(radius: error?.radius, bound: bound, style)
    }

    private init(radius: Double?, bound: Double?, _ style: TextStyle) {
        self.radius = radius
        self.bound = bound
        self.style = style
    }

    private func within(_ metres: Double) -> String {
        style.glyphs.plusMinus + TextBuffer.text { $0.put(length: metres, in: style.units) }
    }

    /// The error, or the words for one that is unknown.
    package var brief: String {
        if let radius { return within(radius) }
        return "too short to tell" + (bound.map { ", \(within($0)) by the receiver" } ?? "")
    }

    /// A remark on the part that the error does not contain, or `nil` if the error is unknown.
    package var remark: String? { radius == nil ? nil : "a constant error of the site is not in it" }

    /// Returns the lines about a mean position, each with its forms, the longest first; none for another position.
    static func lines(_ location: Location, _ style: TextStyle) -> [[String]] {
        guard let count = location["count"], let seconds = location["seconds"] else { return [] }
        let accuracy = location.horizontalAccuracy
        let isTold = location["correlation"] != nil
        let text = MeanText(radius: isTold ? accuracy : nil, bound: isTold ? nil : accuracy, style)
        let positions = Int(clamping: count).counting("position")
        let beginning = "of \(positions) in \(Duration(clampingSeconds: seconds).spoken)"
        let confidence = isTold ? " (95 %)" : ""
        let forms = ["\(beginning): \(text.brief)\(confidence)", text.brief + confidence]
        return [forms] + (text.remark.map { [[$0]] } ?? [])
    }
}
