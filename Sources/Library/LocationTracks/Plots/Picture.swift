/// A drawing that can be written as a document of its own.
package protocol Picture: Sendable {
    func svg(_ theme: TrackPlot.Theme) -> [UInt8]
}
