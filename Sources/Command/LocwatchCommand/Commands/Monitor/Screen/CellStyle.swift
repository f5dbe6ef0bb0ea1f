/// The look of a cell by purpose; the colours of a terminal are chosen when the cell is written to it.
struct CellStyle: Hashable, Sendable {
    /// The purpose of a colour.
    enum Tint: Int, Hashable, Sendable {
        case plain, good, waiting, bad, accent, frame
        /// Signals from weak to strong.
        case signal0, signal1, signal2, signal3, signal4
    }

    /// Attributes that every terminal has, so that a screen without colours shows the same differences.
    struct Attributes: OptionSet, Hashable, Sendable {
        let rawValue: UInt8
        static let bold = Attributes(rawValue: 1)
        static let faint = Attributes(rawValue: 2)
        static let reversed = Attributes(rawValue: 4)
    }

    var tint = Tint.plain
    var attributes: Attributes = []

    static let plain = CellStyle()
    static let bold = CellStyle(attributes: .bold)
    static let faint = CellStyle(attributes: .faint)
    static let reversed = CellStyle(attributes: .reversed)
    static let frame = CellStyle(tint: .frame, attributes: .faint)
    static let title = CellStyle(tint: .accent)

    var isReversed: Bool { attributes.contains(.reversed) }

    /// Returns the style, dimmed if `isDimmed`, as for a position that is not current.
    func dimmed(if isDimmed: Bool) -> CellStyle {
        isDimmed ? CellStyle(tint: .plain, attributes: attributes.subtracting(.bold).union(.faint)) : self
    }

    /// Returns the style of a signal in dB-Hz.
    static func signal(_ level: Double?) -> CellStyle {
        guard let level else { return .faint }
        let tint: Tint =
            switch level {
            case ..<20: .signal0
            case ..<28: .signal1
            case ..<35: .signal2
            case ..<42: .signal3
            default: .signal4
            }
        return CellStyle(tint: tint)
    }
}
