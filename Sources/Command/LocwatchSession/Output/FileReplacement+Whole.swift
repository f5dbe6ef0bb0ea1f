package import LocationTracks
package import LocwatchTerminal

extension FileReplacement {
    /// Replaces the file at a path with one of some bytes, of which a reader never sees a part.
    package static func write(_ bytes: [UInt8], to path: String) throws(OutputFailure) {
        do throws(TrackFileError) {
            var draft = try FileReplacement(of: path)
            try draft.write(bytes)
            try draft.finish()
        } catch {
            throw .track(error)
        }
    }
}
