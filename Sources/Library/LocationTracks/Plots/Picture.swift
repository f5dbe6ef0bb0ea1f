/// A drawing that can be written as a document of its own.
package protocol Picture: Sendable {
    /// Returns the drawing as an SVG document.
    func svg(_ theme: TrackPlot.Theme) -> [UInt8]
}
