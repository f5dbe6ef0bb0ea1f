import LocationTesting

extension ExpectationFailure {
    var wait: FailedWait? { if case .wait(let wait) = reason { wait } else { nil } }

    /// The broken rule and what was observed, if a provider breaks a rule.
    var broken: (rule: LocationProviderConformance.Rule, observation: String)? {
        if case .rule(let rule, let observation) = reason { (rule, observation) } else { nil }
    }
}
