import LocationCore
import LocwatchArguments
import LocwatchPrinting
import LocwatchSession
import LocwatchTerminal

/// The printer of `doctor`: each finding as it arrives, and the verdict.
struct DoctorPrinter {
    let isJSON: Bool
    var usesColor = false
    /// The maximum width of text lines.
    var width = TextStyle.usualColumns

    /// Appends the first line, with the full form of what is examined for programs, or with its place for people.
    func start(_ word: String, place: String, into out: inout TextBuffer) {
        if isJSON {
            JSONPrinter.putStart(word, into: &out)
        } else {
            put("checking \(place.printable)", indent: 0, into: &out)
        }
    }

    func print(_ name: String, _ finding: Finding, into out: inout TextBuffer) {
        if isJSON {
            out.line("check") { line in
                line.member("check", name)
                line.member("result", finding.result.rawValue)
                line.member("found", finding.found)
                line.member("why", finding.why)
                line.member("remedy", finding.remedy)
            }
            return
        }
        let (word, ink): (String, Ink) =
            switch finding.result {
            case .remark: ("note", .waiting)
            case .fault: ("fault", .bad)
            case .ok, .moot, .wait: ("ok", .good)
            }
        out.put(word, in: ink, if: usesColor)
        out.put(repeating: UInt8(ascii: " "), count: 7 - word.utf8.count)
        out.put(name)
        if isNarrow {
            out.put("\n")
            out.put(repeating: UInt8(ascii: " "), count: margin)
        } else {
            out.put(repeating: UInt8(ascii: " "), count: margin - 7 - name.utf8.count)
        }
        put(finding.found, indent: margin, into: &out)
        if let why = finding.why { put("why", why, into: &out) }
        for step in finding.remedy { put("do", step, into: &out) }
    }

    func end(_ diagnosis: Diagnosis, at time: Timestamp, into out: inout TextBuffer) {
        if isJSON {
            out.line("diagnosis") { line in
                line.member("time", time)
                line.member("exit", Int(diagnosis.code.rawValue))
                line.member("cause", diagnosis.cause)
                line.member("verdict", diagnosis.verdict)
            }
        } else {
            let lines = Paragraph.lines(diagnosis.verdict.printable, width: width)
            let verdict = lines.joined(separator: "\n")
            out.put(verdict, in: diagnosis.code == .done ? .good : .bad, if: usesColor)
            out.put("\n")
        }
    }

    /// Whether the width is too small for two columns.
    private var isNarrow: Bool { width < 60 }

    private var margin: Int { isNarrow ? 2 : 18 }

    private func put(_ label: String, _ text: String, into out: inout TextBuffer) {
        out.put(repeating: UInt8(ascii: " "), count: margin)
        out.put(label, in: .faint, if: usesColor)
        out.put(repeating: UInt8(ascii: " "), count: 5 - label.utf8.count)
        put(text, indent: margin + 5, into: &out)
    }

    /// Appends wrapped text, whose first line continues the current line.
    private func put(_ text: String, indent: Int, into out: inout TextBuffer) {
        let lines = Paragraph.lines(text.printable, indent: indent, width: width)
        out.put(String(lines.joined(separator: "\n").dropFirst(indent)))
        out.put("\n")
    }
}

/// The conclusion from all findings.
struct Diagnosis: Hashable, Sendable {
    let code: ExitCode
    /// The check that found the first fault.
    let cause: String?
    let verdict: String

    /// Creates the conclusion from the findings of an examination.
    ///
    /// - Parameter failed: The meaning of a fault in words, unless a fix arrives.
    init(_ findings: [(name: CheckName, finding: Finding)], failed: String = "no fix") {
        let fix = findings.first { $0.name == .fix && $0.finding.result != .fault }?.finding
        if let fault = findings.first(where: { $0.finding.result == .fault }) {
            code = fault.finding.code
            cause = fault.name.rawValue
            let start = fix == nil ? "\(failed):" : "a fix arrives, but"
            verdict = "\(start) \(fault.finding.brief ?? fault.finding.found)"
            return
        }
        code = .done
        cause = nil
        let remarks = findings.filter { $0.finding.result == .remark }.map(\.name.rawValue)
        verdict =
            remarks.isEmpty
            ? "all is well" + (fix.map { ": \($0.found)" } ?? "")
            : (fix == nil ? "" : "a fix arrives; ") + "see the note on \(EnglishList.and(remarks))"
    }
}
