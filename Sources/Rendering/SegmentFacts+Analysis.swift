package import MediaReading
import Outputs
package import Planning

extension SegmentFacts {
    /// The facts of a file that holds the analysis of a chunk's first pass.
    package static func analysis(of chunk: Chunk, fileHash: String, byteCount: Int) -> SegmentFacts {
        SegmentFacts(
            media: .analysis, count: chunk.frameCount, packetCount: 0, reorderDepth: 0,
            priming: 0, lastPacketDuration: 0, extradata: [], fileHash: fileHash, byteCount: Int64(byteCount))
    }
}
