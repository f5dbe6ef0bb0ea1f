import LocationCore
import LocwatchArguments
import LocwatchTerminal

/// A program that shows the state of the session in a bar.
///
/// A new bar is one entry in `all`; help, completions and manual page are derived from it.
package struct StatusBar: Sendable {
    /// The word by which `--format` selects the bar.
    package let name: String
    package let meaning: String
    /// A configuration that shows the position of the local gpsd.
    package let configuration: String
    /// The text before the first line, between two lines, and after the last line.
    var frame: (begin: StaticString, separator: StaticString, end: StaticString) = ("", "", "")
    /// Appends the line for a status.
    ///
    /// Everything in a status is external text: no part of it can be markup, an escape or a new line of the reader.
    let put: @Sendable (BarStatus, inout TextBuffer) -> Void

    package static let all = [waybar, i3blocks, i3bar, polybar, tmux]

    /// The format in which the session is printed for the bar.
    var format: OutputFormat {
        OutputFormat("--format \(name)", carrying: .signals) { _, _, style, localTime in
            StatusBarPrinter(bar: self, style: style, localTime: localTime)
        }
    }

    static let waybar = StatusBar(
        name: "waybar", meaning: "a custom module of Waybar with return-type json",
        configuration: """
            "custom/gps": {
                "exec": "locwatch -q -f waybar",
                "return-type": "json",
                "restart-interval": 10
            }
            """
    ) { status, out in
        out.put("{\"text\":")
        out.put(jsonString: BarText.pango(status.text))
        out.member("alt", status.kind.rawValue)
        out.member("class", status.kind.rawValue)
        out.member("tooltip", status.tooltip.map(BarText.pango).joined(separator: "\n"))
        out.put("}\n")
    }

    static let i3blocks = StatusBar(
        name: "i3blocks", meaning: "a block of i3blocks with interval=persist and markup=pango",
        configuration: """
            [gps]
            command=locwatch -q -f i3blocks
            interval=persist
            markup=pango
            """
    ) { status, out in
        out.put("<span color='\(status.kind.color)'>")
        out.put(BarText.pango(status.text))
        out.put("</span>\n")
    }

    static let i3bar = StatusBar(
        name: "i3bar", meaning: "a status_command of i3bar or swaybar",
        configuration: """
            bar {
                status_command locwatch -q -f i3bar
            }
            """,
        frame: ("{\"version\":1}\n[\n", ",", "]\n")
    ) { status, out in
        out.put("[{\"name\":\"locwatch\"")
        out.member("full_text", status.text.printable)
        out.member("short_text", status.shortText.printable)
        out.member("color", status.kind.color)
        if status.kind == .error { out.member("urgent", true) }
        out.put("}]\n")
    }

    static let polybar = StatusBar(
        name: "polybar", meaning: "a custom/script module of Polybar with tail = true",
        configuration: """
            [module/gps]
            type = custom/script
            exec = locwatch -q -f polybar
            tail = true
            """
    ) { status, out in
        out.put("%{F\(status.kind.color)}")
        out.put(BarText.polybar(status.text))
        out.put("%{F-}\n")
    }

    static let tmux = StatusBar(
        name: "tmux", meaning: "a #() of tmux's status line",
        configuration: """
            set -g status-right '#(locwatch -q -f tmux)'
            set -g status-right-length 60
            """
    ) { status, out in
        out.put("#[fg=\(status.kind.color)]")
        out.put(BarText.tmux(status.text))
        out.put("#[default]\n")
    }
}
