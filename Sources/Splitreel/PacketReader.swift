import Diagnostics
import Libav
import MediaFacts
import MediaReading
public import MediaTime
import Synchronization
import Threads

/// A packet of a track as its file stores it: a coded picture, or some coded samples.
public struct StoredPacket: Sendable {
    /// The packet's bytes.
    public let data: [UInt8]
    /// The asset time from which it is shown or heard; nil where the file tells none.
    public let presentationTime: MediaTime?
    /// The asset time at which it is decoded; nil where the file tells none.
    public let decodeTime: MediaTime?
    /// The duration; zero where the file tells none.
    public let duration: MediaTime
    /// Whether decoding can begin with it.
    public let isKeyFrame: Bool
}

/// Reads one track of a media file as it is stored, packet by packet in decoding order: nothing is decoded. Edit lists
/// are not applied. From any thread; packets to one task at a time.
public final class PacketReader: Sendable {
    /// The codec's name in libavcodec, such as `h264`.
    public let codec: String
    /// The codec's global header: of H.264 and HEVC in MP4 the parameter sets. May be empty.
    public let header: [UInt8]
    /// The parts of a second that the file's clock counts.
    public let timescale: Int32

    // The reader is used by one thread at a time, under the lock.
    private struct Opened: @unchecked Sendable {
        let packets: StoredPackets
    }

    private let opened: Mutex<Opened>
    /// The asset keeps a source in memory alive.
    private let asset: MediaAsset

    /// Opens a track of a media file.
    ///
    /// - Parameter id: the track's id, see `TrackFacts`.
    /// - Throws: `SplitreelError` where the asset is a composition, or has no such track.
    public init(track id: Int, of asset: MediaAsset) async throws {
        let opened = try await onThread("opening") {
            Result {
                let facts = try asset.factsOnThisThread()
                return Opened(packets: try StoredPackets(path: facts.path, track: id))
            }
        }.get()
        let format = opened.packets.format
        codec = format.codec
        header = format.header
        timescale = format.timescale
        self.opened = Mutex(opened)
        self.asset = asset
    }

    /// Goes to the last key frame at or before an asset time: the packets from there on follow.
    public func seek(to time: MediaTime) async throws {
        guard let exact = time.exact else {
            throw SplitreelError(.usage, operation: "reading", subject: "seek", reason: "\(time) is no time")
        }
        try await onThread("seeking") { [self] in
            Result { try opened.withLock { try $0.packets.seek(to: exact) } }
        }.get()
    }

    /// The next packet; nil after the last one.
    public func next() async throws -> StoredPacket? {
        try await onThread("reading") { [self] in Result { try opened.withLock { try Self.next(of: $0.packets) } } }
            .get()
    }

    private static func next(of packets: StoredPackets) throws -> StoredPacket? {
        guard let packet = try packets.next() else { return nil }
        let zero = packets.time(0)
        return StoredPacket(
            data: packet.data, presentationTime: packet.pts.map { packets.time($0).mediaTime },
            decodeTime: packet.dts.map { packets.time($0).mediaTime },
            duration: (packets.time(packet.duration) - zero).mediaTime, isKeyFrame: packet.isKey)
    }
}
