import LocationCore
package import LocationPublishing

extension ValueSyntax where Value == TargetWord {
    package static let target = ValueSyntax("TARGET", completion: .words(TargetScheme.all.map(\.prefix))) { text in
        do throws(TargetWordError) {
            return .success(try TargetWord(text))
        } catch {
            return .failure(ValueError(reason: error.description))
        }
    }
}

extension ValueSyntax where Value == String {
    package static let folder = ValueSyntax("DIR", completion: .file, allowed: "the path of a folder") {
        $0.isEmpty ? nil : $0
    }

    /// Returns the syntax of a short visible text.
    package static func text(_ placeholder: String, allowed: String, longest: Int = 100) -> ValueSyntax {
        ValueSyntax(placeholder, allowed: allowed) { text in
            guard !text.isEmpty, text.utf8.count <= longest * (longest < 3 ? 4 : 1), text.count <= longest,
                !text.unicodeScalars.contains(where: VisibleText.isHidden)
            else { return nil }
            return text
        }
    }
}

extension ValueSyntax where Value == MQTTTopic {
    package static let topic = ValueSyntax("TOPIC") { text in
        do throws(MQTTTopicFault) {
            return .success(try MQTTTopic(text))
        } catch {
            return .failure(ValueError(reason: error.description))
        }
    }
}

extension ValueSyntax where Value == PublishTemplate {
    package static let publishTemplate = ValueSyntax("TEMPLATE") { text in
        do throws(TemplateError) {
            return .success(try PublishTemplate(parsing: text))
        } catch {
            guard case .unknownName = error else { return .failure(ValueError(reason: error.description)) }
            return .failure(ValueError(reason: "\(error), as 'locwatch help publish' lists them"))
        }
    }
}

extension ValueSyntax where Value == HTTPHeaders.Field {
    /// The syntax `NAME: VALUE`.
    package static let header = ValueSyntax("NAME:VALUE") { text in
        let reason = "expected a name, a colon and a value, as in 'Authorization: Bearer TOKEN', without line breaks"
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        var headers = HTTPHeaders()
        guard parts.count == 2, (try? headers.add(String(parts[0]), String(parts[1].drop { $0 == " " }))) != nil else {
            return .failure(ValueError(reason: reason))
        }
        return .success(headers.fields[0])
    }
}

extension ValueSyntax where Value == Double? {
    package static let backlogRate = ValueSyntax<Int>.wholeNumber("N", in: 1...1_000_000).map { Double?(Double($0)) }
        .or("unlimited", nil)
}
