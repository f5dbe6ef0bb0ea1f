import LocationCore

/// A picture of a session: its track, its scatter, its satellites, and charts over time.
public struct TrackPlot: Sendable {
    let statistics: TrackStatistics
    let title: String
    let units: PlotUnits

    /// The page background for which a picture is made.
    public enum Theme: Hashable, Sendable {
        /// Light or dark, as the viewer prefers.
        case automatic
        /// A light page.
        case light
        /// A dark page.
        case dark
    }

    /// Creates a picture of the statistics so far.
    public init(_ statistics: TrackStatistics, title: String) { self.init(statistics, title: title, in: .metric) }

    /// Creates a picture with lengths and speeds in other units.
    package init(_ statistics: TrackStatistics, title: String, in units: PlotUnits) {
        self.statistics = statistics
        self.title = title
        self.units = units
    }

    /// Returns the picture as an SVG document.
    ///
    /// It needs no other file and no font. Programs without `prefers-color-scheme` show the light theme.
    public func svg(_ theme: Theme = .automatic) -> [UInt8] {
        var y = 62.0
        let strips = strips
        let square = 470.0
        let panels = [drawTrack, drawScatter, drawSky, drawSignals].compactMap { panel($0, square) }
        let rows = (panels.count + 1) / 2
        let stripHeight = strips.reduce(0) { $0 + $1.height + 46 }
        let height = y + Double(rows) * (square + 22) + stripHeight + (strips.isEmpty ? 0 : 26)
        var canvas = SVGCanvas(title, summary, height: height, theme)
        for (index, panel) in panels.enumerated() {
            // The last panel of an odd number is alone in its row.
            let x = index % 2 == 0 ? 20.0 : 510.0
            canvas.openGroup(x, y + Double(index / 2) * (square + 22))
            canvas.raw(String(decoding: panel, as: UTF8.self))
            canvas.close("g")
        }
        y += Double(rows) * (square + 22)
        for strip in strips {
            canvas.openGroup(20, y)
            draw(strip, &canvas)
            canvas.close("g")
            y += strip.height + 46
        }
        if !strips.isEmpty { canvas.text("time since the beginning", 500, y + 8, "t", .middle) }
        canvas.close("svg")
        return canvas.bytes
    }

    private func panel(_ draw: (inout SVGCanvas, Double) -> Bool, _ size: Double) -> [UInt8]? {
        var canvas = SVGCanvas()
        return draw(&canvas, size) ? canvas.bytes : nil
    }

    private var summary: String {
        var parts = [
            RoundNumber.clock(statistics.duration),
            statistics.epochs.counting("epoch"),
        ]
        if let share = statistics.availability {
            parts.append("position \(RoundNumber.text(share * 100)) % of the time")
        }
        if let first = statistics.timeToFirstFix {
            parts.append("first fix after \(RoundNumber.text(first.inSeconds)) s")
        }
        if statistics.motion.distance > 0 { parts.append(units.text(statistics.motion.distance)) }
        return parts.joined(separator: "  ·  ")
    }
}

extension String {
    func shortened(to count: Int) -> String { self.count > count ? prefix(count - 1) + "…" : self }
}

extension TrackPlot: Picture {}

extension FileReplacement.ReplacedKind {
    package static let picture = Self("a picture of locwatch", beginningWith: SVGCanvas.beginning)
}

extension SVGCanvas {
    /// The beginning of each picture, by which an earlier one is known.
    fileprivate static let beginning = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1000\" height=\""

    /// Begins a picture with a title and a line below it.
    init(_ title: String, _ line: String, height: Double, _ theme: TrackPlot.Theme) {
        self.init()
        raw(
            Self.beginning + "\(Int(clamping: height))\" "
                + "viewBox=\"0 0 1000 \(Int(clamping: height))\" role=\"img\">\n<title>")
        raw(TextBuffer.text { $0.put(xml: title) })
        raw("</title>\n<style>\(TrackPlotStyle.sheet(theme))</style>\n")
        rectangle(0, 0, 1000, height, "page")
        text(title.shortened(to: 70), 20, 30, "h")
        text(line, 20, 50, "t")
    }
}

/// The style sheet of the pictures, with the palette of Okabe and Ito, which suits every kind of colour vision.
enum TrackPlotStyle {
    static func sheet(_ theme: TrackPlot.Theme) -> String {
        switch theme {
        case .light: shapes + light
        case .dark: shapes + dark
        case .automatic: shapes + light + "@media (prefers-color-scheme: dark){" + dark + "}"
        }
    }

    private static let shapes = """
        text{font-family:system-ui,'DejaVu Sans',sans-serif}
        .t{font-size:13px}.s{font-size:11px}.h{font-size:18px;font-weight:600}.p{font-size:14px;font-weight:600}
        path,line,circle,rect{fill:none;stroke-linejoin:round}
        .grid,.axis,.frame{stroke-width:1}.way{stroke-width:2.5;stroke-linecap:round}.drift{stroke-width:1;stroke-opacity:.5}.bar{stroke-width:3}
        .dot{stroke-width:3;stroke-linecap:round;stroke-opacity:.45}.c50,.c95,.mean{stroke-width:2}.c95{stroke-dasharray:7 4}
        .sat{stroke-width:2;stroke-linecap:round}.curve{stroke-width:1.8}.mark{stroke-width:1.5}

        """

    private static let light = colours(
        page: "#ffffff", text: "#1a1a1a", faint: "#d0d0d0", axis: "#777777",
        ["#0072b2", "#d55e00", "#008060", "#a8480a", "#b0578a", "#a37000", "#3a8fc4", "#555555"])
    private static let dark = colours(
        page: "#14171a", text: "#e8e8e8", faint: "#3a3f45", axis: "#8a9099",
        ["#56b4e9", "#ff8c42", "#2fc79c", "#f0a070", "#e59cc5", "#e9b93f", "#9ad0f5", "#bbbbbb"])

    private static func colours(page: String, text: String, faint: String, axis: String, _ inks: [String]) -> String {
        var sheet = """
            .page{fill:\(page)}text{fill:\(text);stroke:\(page);stroke-width:3px;stroke-linejoin:round;paint-order:stroke}.grid,.frame{stroke:\(faint)}.axis,.mark,.bar{stroke:\(axis)}.bar,.mark{stroke:\(text)}
            .way,.drift,.dot,.curve{stroke:\(inks[0])}.band{fill:\(inks[0]);fill-opacity:.22}.c50{stroke:\(inks[5])}.c95{stroke:\(inks[1])}
            .mean{stroke:\(text)}.begin{fill:\(page);stroke:\(text);stroke-width:2}.finish{fill:\(text)}
            .found{fill:\(inks[0])}.searching{fill:\(inks[5])}.error{fill:\(inks[1])}

            """
        for (index, ink) in inks.enumerated() {
            sheet +=
                ".k\(index){stroke:\(ink)}.f\(index){fill:\(ink);stroke:\(ink)}.b\(index){fill:\(ink);fill-opacity:.35}\n"
        }
        return sheet
    }
}
