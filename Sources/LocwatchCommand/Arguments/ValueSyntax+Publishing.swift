import LocationCore
import LocationPublishing

extension ValueSyntax where Value == TargetWord {
    static let target = ValueSyntax("TARGET", completion: .words(TargetScheme.all.map { $0.name + "://" })) { text in
        do throws(TargetWordError) {
            return .success(try TargetWord(text))
        } catch {
            return .failure(ValueError(reason: error.description))
        }
    }
}

extension ValueSyntax where Value == String {
    static let folder = ValueSyntax("DIR", completion: .file, allowed: "the path of a folder") {
        $0.isEmpty ? nil : $0
    }

    /// Returns the syntax of a short visible text.
    static func text(_ placeholder: String, allowed: String, longest: Int = 100) -> ValueSyntax {
        ValueSyntax(placeholder, allowed: allowed) { text in
            guard !text.isEmpty, text.utf8.count <= longest * (longest < 3 ? 4 : 1), text.count <= longest,
                !text.unicodeScalars.contains(where: VisibleText.isHidden)
            else { return nil }
            return text
        }
    }
}

extension ValueSyntax where Value == MQTTTopic {
    static let topic = ValueSyntax("TOPIC") { text in
        do throws(MQTTTopicFault) {
            return .success(try MQTTTopic(text))
        } catch {
            return .failure(ValueError(reason: error.description))
        }
    }
}

extension ValueSyntax where Value == PublishTemplate {
    static let publishTemplate = ValueSyntax("TEMPLATE") { text in
        do throws(TemplateError) {
            return .success(try PublishTemplate(text))
        } catch {
            return .failure(ValueError(reason: error.description))
        }
    }
}

extension ValueSyntax where Value == HTTPHeaderField {
    /// The syntax `NAME: VALUE`.
    static let header = ValueSyntax("NAME:VALUE") { text in
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let reason = "expected a name, a colon and a value, as in 'Authorization: Bearer TOKEN', without line breaks"
        guard parts.count == 2 else {
            return .failure(ValueError(reason: reason))
        }
        let field = HTTPHeaderField(name: String(parts[0]), value: String(parts[1].drop { $0 == " " }))
        do throws(HTTPError) {
            var headers = HTTPHeaders()
            try headers.set(field.name, field.value)
            return .success(field)
        } catch {
            return .failure(ValueError(reason: reason))
        }
    }
}

extension ValueSyntax where Value == BacklogRate {
    static let backlogRate = ValueSyntax<Int>.wholeNumber("N", in: 1...1_000_000).map { BacklogRate.perSecond($0) }
        .or("unlimited", .unlimited)
}
