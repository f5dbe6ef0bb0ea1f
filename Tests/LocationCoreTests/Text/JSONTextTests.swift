import Foundation
import LocationCore
import Testing

struct JSONTextTests {
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
