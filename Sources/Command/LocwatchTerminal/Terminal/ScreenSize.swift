/// The size of a screen in cells, limited so that a terminal with absurd figures cannot exhaust the memory.
package struct ScreenSize: Hashable, Sendable {
    private static let limit = 1000

    package let columns: Int
    package let rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = min(max(1, columns), Self.limit)
        self.rows = min(max(1, rows), Self.limit)
    }
}
