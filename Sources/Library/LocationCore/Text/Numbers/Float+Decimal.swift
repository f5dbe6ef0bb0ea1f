extension Float {
    /// The number with the few decimals that it had before it was stored in single precision: 19.95, not 19.950000763.
    package var decimal: Double { Double("\(self)") ?? Double(self) }
}
