import LocwatchArguments
import LocwatchTerminal

/// A program that shows the state of the session in a bar.
///
/// A new bar is one entry in `all`; help, completions and manual page are derived from it.
///
/// Everything in a status is external text, and no part of it can be markup, a format, an escape or a new line of the bar:
/// hidden characters are made visible, the characters in `escapes` are replaced, and only then the line is composed.
package struct StatusBar: Sendable {
    /// The word by which `--format` selects the bar.
    package let name: String
    package let meaning: String
    /// A configuration that shows the position of the local gpsd.
    package let configuration: String
    /// The text before the first line, between two lines, and after the last line.
    var frame: (begin: StaticString, separator: StaticString, end: StaticString) = ("", "", "")
    /// Characters and the texts in their place; of several texts for a character the first is used.
    typealias Escapes = [(character: Unicode.Scalar, text: String)]
    /// The characters that have a meaning for the bar, and the texts by which it shows them.
    let escapes: Escapes
    /// Composes the line for a status whose texts are escaped.
    let template: @Sendable (_ status: BarStatus) -> String

    func line(_ status: BarStatus) -> String {
        var status = status
        status.text = escaped(status.text)
        status.shortText = escaped(status.shortText)
        status.tooltip = status.tooltip.map(escaped)
        return template(status) + "\n"
    }

    private func escaped(_ text: String) -> String {
        text.printable.unicodeScalars.map { scalar in
            escapes.first { $0.character == scalar }?.text ?? String(scalar)
        }.joined()
    }

    package static let all = [waybar, i3blocks, i3bar, polybar, tmux]

    /// The format in which the session is printed for the bar.
    var format: OutputFormat {
        OutputFormat("--format \(name)", carrying: .signals) { _, style, localTime in
            StatusBarPrinter(bar: self, style: style, localTime: localTime)
        }
    }

    private static let json: Escapes = [("\"", "\\\""), ("\\", "\\\\")]
    /// The characters of Pango's markup.
    private static let pango: Escapes = [
        ("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("'", "&apos;"), ("\"", "&quot;"),
    ]

    static let waybar = StatusBar(
        name: "waybar", meaning: "a custom module of Waybar with return-type json",
        configuration: """
            "custom/gps": {
                "exec": "locwatch -q -f waybar",
                "return-type": "json",
                "restart-interval": 10
            }
            """,
        escapes: pango + json
    ) {
        let tooltip = $0.tooltip.joined(separator: #"\n"#)
        return #"{"text":"\#($0.text)","alt":"\#($0.kind)","class":"\#($0.kind)","tooltip":"\#(tooltip)"}"#
    }

    static let i3blocks = StatusBar(
        name: "i3blocks", meaning: "a block of i3blocks with interval=persist and markup=pango",
        configuration: """
            [gps]
            command=locwatch -q -f i3blocks
            interval=persist
            markup=pango
            """,
        escapes: pango
    ) { "<span color='\($0.kind.color)'>\($0.text)</span>" }

    static let i3bar = StatusBar(
        name: "i3bar", meaning: "a status_command of i3bar or swaybar",
        configuration: """
            bar {
                status_command locwatch -q -f i3bar
            }
            """,
        frame: ("{\"version\":1}\n[\n", ",", "]\n"), escapes: json
    ) {
        let texts = #""full_text":"\#($0.text)","short_text":"\#($0.shortText)""#
        let urgent = $0.kind == .error ? #","urgent":true"# : ""
        return #"[{"name":"locwatch",\#(texts),"color":"\#($0.kind.color)"\#(urgent)}]"#
    }

    // Polybar's tags begin with `%{` and cannot be escaped.
    static let polybar = StatusBar(
        name: "polybar", meaning: "a custom/script module of Polybar with tail = true",
        configuration: """
            [module/gps]
            type = custom/script
            exec = locwatch -q -f polybar
            tail = true
            """,
        escapes: [("%", "％")]
    ) { "%{F\($0.kind.color)}\($0.text)%{F-}" }

    // tmux expands the output of a command once more, so a doubled `#` would not protect what follows it.
    static let tmux = StatusBar(
        name: "tmux", meaning: "a #() of tmux's status line",
        configuration: """
            set -g status-right '#(locwatch -q -f tmux)'
            set -g status-right-length 60
            """,
        escapes: [("#", "＃")]
    ) { "#[fg=\($0.kind.color)]\($0.text)#[default]" }
}
