import Foundation
import Testing

@testable import LocationCore

struct JSONWriterTests {
    @Test func `commas are between members, also in nested objects and lists`() {
        let json = TextBuffer.text { out in
            out.object { object in
                object.member("a", 1)
                object.object("b") { $0.member("c", "{") }
                object.list("d", [1, 2]) { $0.member("e", $1) }
                object.member("f", ["x", "["])
                object.put(key: "g\"")
                object.list([[0.5], []]) { $0.list($1) { $0.put(shortest: $1) } }
                object.object("h") { _ in }
                object.list("i", [0]) { _, _ in }
                object.member("j", true)
                object.member("k", false)
            }
        }
        let members = [
            #""a":1"#, #""b":{"c":"{"}"#, #""d":[{"e":1},{"e":2}]"#, #""f":["x","["]"#, #""g\"":[[0.5],[]]"#,
            #""h":{}"#, #""i":[{}]"#, #""j":true"#, #""k":false"#,
        ]
        #expect(json == "{\(members.joined(separator: ","))}")
    }

    @Test func `a member whose value is unknown or not finite is omitted`() {
        let json = TextBuffer.text { out in
            out.line("x") { line in
                line.member("a", nil as String?)
                line.member("b", nil as Int?)
                line.member("c", Double.nan)
                line.member("d", -Double.infinity)
                line.member("e", Double.infinity, decimals: 3)
                line.member("f", nil as Timestamp?)
                line.member("g", nil as Duration?)
                line.member("h", [])
                line.member("i", 1.25, decimals: 1)
            }
        }
        #expect(json == #"{"event":"x","i":1.2}"# + "\n")
    }

    @Test(arguments: [
        "", "plain", "a \"quoted\" \\ word", "line\nreturn\rtab\t", "\u{0}\u{1}\u{1F}\u{7F}", "Gänseblümchen 🛰\u{2028}",
    ])
    func `quoted text reads back unchanged`(text: String) throws {
        let quoted = JSONText.quoted(text)
        let read = try JSONSerialization.jsonObject(with: Data(quoted.utf8), options: .fragmentsAllowed)
        #expect(read as? String == text)
        #expect(quoted.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
    }
}
