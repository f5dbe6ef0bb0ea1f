import LocationCore

/// A program that shows the state of the session in a bar, as `--format` names it.
enum StatusBar: String, CaseIterable, Hashable, Sendable {
    case waybar, i3blocks, i3bar, polybar, tmux

    var meaning: String {
        switch self {
        case .waybar: "a custom module of Waybar with return-type json"
        case .i3blocks: "a block of i3blocks with interval=persist and markup=pango"
        case .i3bar: "a status_command of i3bar or swaybar"
        case .polybar: "a custom/script module of Polybar with tail = true"
        case .tmux: "a #() of tmux's status line"
        }
    }

    /// A configuration that shows the position of the local gpsd.
    var configuration: String {
        switch self {
        case .waybar:
            """
            "custom/gps": {
                "exec": "locwatch -q -f waybar",
                "return-type": "json",
                "restart-interval": 10
            }
            """
        case .i3blocks:
            """
            [gps]
            command=locwatch -q -f i3blocks
            interval=persist
            markup=pango
            """
        case .i3bar:
            """
            bar {
                status_command locwatch -q -f i3bar
            }
            """
        case .polybar:
            """
            [module/gps]
            type = custom/script
            exec = locwatch -q -f polybar
            tail = true
            """
        case .tmux:
            """
            set -g status-right '#(locwatch -q -f tmux)'
            set -g status-right-length 60
            """
        }
    }

    /// Appends what precedes the first line.
    func begin(_ out: inout TextBuffer) {
        if self == .i3bar { out.put("{\"version\":1}\n[\n") }
    }

    /// The text between two lines.
    var separator: StaticString { self == .i3bar ? "," : "" }

    /// Appends what follows the last line.
    func end(_ out: inout TextBuffer) {
        if self == .i3bar { out.put("]\n") }
    }

    /// Appends the line for a status.
    ///
    /// Everything in a status is external text: no part of it can be markup, an escape or a new line of the reader.
    func put(_ status: BarStatus, into out: inout TextBuffer) {
        switch self {
        case .waybar:
            out.object { out in
                out.member("text", BarText.pango(status.text))
                out.member("alt", status.kind.rawValue)
                out.member("class", status.kind.rawValue)
                out.member("tooltip", status.tooltip.map(BarText.pango).joined(separator: "\n"))
            }
            out.put("\n")
        case .i3blocks:
            out.put("<span color='\(status.kind.color)'>")
            out.put(BarText.pango(status.text))
            out.put("</span>\n")
        case .i3bar:
            out.put("[{\"name\":\"locwatch\"")
            out.member("full_text", status.text.printable)
            out.member("short_text", status.shortText.printable)
            out.member("color", status.kind.color)
            if status.kind == .error { out.member("urgent", true) }
            out.put("}]\n")
        case .polybar:
            out.put("%{F\(status.kind.color)}")
            out.put(BarText.polybar(status.text))
            out.put("%{F-}\n")
        case .tmux:
            out.put("#[fg=\(status.kind.color)]")
            out.put(BarText.tmux(status.text))
            out.put("#[default]\n")
        }
    }
}
