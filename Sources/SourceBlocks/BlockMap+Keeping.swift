import Diagnostics
import Foundation
package import SplitreelFiles
package import Threads

extension BlockMap {
    /// The map of a planned source that was kept in a file. Where the file is missing or none of this source, the map
    /// is made of the source, which is read whole, and kept there; a file that cannot be written is no fault.
    ///
    /// Two contents of one size and with equal edges are not told apart: the file's name has to stand for the source's
    /// mark. Throws `mediaChanged` where the source has other edges than were planned, and as making a map does.
    package static func kept(
        in file: String, of source: any MediaSource, edgeHash: String, stop: WorkStop = WorkStop()
    ) throws -> BlockMap {
        if let map = try? BlockMap(keptIn: file), map.byteCount == source.byteCount, map.edgeHash == edgeHash {
            return map
        }
        let map = try BlockMap(of: source, stop: stop)
        guard map.edgeHash == edgeHash else {
            throw sourceChanged(source.name, "the file's content is not what was planned")
        }
        try? map.write(to: file)
        return map
    }

    /// Reads a map that was kept in a file. Throws `mediaChanged` where there is none.
    package init(keptIn file: String) throws {
        let bytes = try RegularFile.contents(of: file, limit: Self.mostLength, failure: .mediaChanged)
        guard let map = BlockMap([UInt8](bytes)) else {
            throw sourceChanged(file, "it is no map of a source's blocks")
        }
        self = map
    }

    /// Keeps the map in a file, in one step. Throws as writing does.
    package func write(to file: String) throws { try replaceFile(Data(written), at: file) }
}
