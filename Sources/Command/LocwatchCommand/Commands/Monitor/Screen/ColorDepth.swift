/// The colours of a terminal.
enum ColorDepth: Hashable, Sendable, CaseIterable {
    case none, sixteen, many, full

    /// Creates the depth that the environment of a terminal promises.
    init(environment: [String: String], isColored: Bool) {
        let term = environment["TERM"] ?? ""
        if !isColored {
            self = .none
        } else if ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "") || term.hasSuffix("-direct") {
            self = .full
        } else {
            self = term.hasSuffix("-256color") ? .many : .sixteen
        }
    }

    /// Returns the parameters of a sequence that selects a colour, or `nil` for the terminal's own.
    func parameters(of tint: CellStyle.Tint) -> String? {
        guard tint != .plain else { return nil }
        return switch self {
        case .none: nil
        case .sixteen: Self.sixteenColors[tint.rawValue]
        case .many: "38;5;" + Self.manyColors[tint.rawValue]
        case .full: "38;2;" + Self.fullColors[tint.rawValue]
        }
    }

    // The palettes suit every kind of colour vision on dark and light backgrounds: blue for good, orange for bad.
    private static let sixteenColors = ["39", "32", "33", "31", "36", "39", "31", "33", "33", "36", "34"]
    private static let manyColors = ["15", "36", "178", "166", "38", "245", "166", "172", "178", "38", "33"]
    private static let fullColors = [
        "255;255;255", "0;158;115", "214;158;0", "213;94;0", "60;160;210", "138;138;138", "213;94;0", "220;130;20",
        "214;158;0", "60;160;210", "0;114;230",
    ]
}
