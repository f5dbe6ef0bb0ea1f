import Testing

@testable import LocationRecordings

struct InputExpansionTests {
    @Test func `a small input may become 256 MB, and a large one 24 times its size`() {
        #expect(!InputExpansion.isExceeded(by: 256 << 20, from: 1))
        #expect(InputExpansion.isExceeded(by: 256 << 20 + 1, from: 10 << 20))
        #expect(!InputExpansion.isExceeded(by: 2_400 << 20, from: 100 << 20))
        #expect(InputExpansion.isExceeded(by: 2_400 << 20 + 1, from: 100 << 20))
    }
}
