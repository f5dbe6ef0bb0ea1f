package import LocationTesting
package import Testing

extension ExpectationFailure {
    package var wait: FailedWait? { if case .wait(let wait) = reason { wait } else { nil } }

    /// The broken rule and what was observed, if a provider breaks a rule.
    package var broken: (rule: LocationProviderConformance.Rule, observation: String)? {
        if case .rule(let rule, let observation) = reason { (rule, observation) } else { nil }
    }
}

/// Returns the failure with which a wait or a check ends.
package func expectFailure<Value>(
    at location: SourceLocation = #_sourceLocation, _ body: () async throws -> Value
) async throws -> ExpectationFailure {
    let failure = await #expect(throws: ExpectationFailure.self, sourceLocation: location) { try await body() }
    return try #require(failure, sourceLocation: location)
}
