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
    /// The samples that its decoder is to cut from the packet's end.
    var endTrim = 0

    /// A packet of a program's own.
    ///
    /// - Parameters:
    ///   - decodeTime: nil for the writer's own choice.
    ///   - duration: zero for the time until the next packet.
    public init(
        data: [UInt8], presentationTime: MediaTime, decodeTime: MediaTime? = nil, duration: MediaTime = .zero,
        isKeyFrame: Bool
    ) {
        self.init(data, presentationTime, decodeTime, duration, isKeyFrame, endTrim: 0)
    }

    init(
        _ data: [UInt8], _ presentation: MediaTime?, _ decode: MediaTime?, _ duration: MediaTime, _ isKeyFrame: Bool,
        endTrim: Int
    ) {
        self.data = data
        (presentationTime, decodeTime, self.duration) = (presentation, decode, duration)
        (self.isKeyFrame, self.endTrim) = (isKeyFrame, endTrim)
    }
}

/// Reads one track of a media file as it is stored, packet by packet in decoding order: nothing is decoded. Edit lists
/// are not applied. From any thread; packets to one task at a time. Reading is done on a thread of the reader's own,
/// which ends where nothing is asked for a second.
public final class PacketReader: Sendable {
    /// The codec's name in libavcodec, such as `h264`.
    public let codec: String
    /// The codec's global header: of H.264 and HEVC in MP4 the parameter sets. May be empty.
    public let header: [UInt8]
    /// The parts of a second that the file's clock counts.
    public let timescale: Int32
    /// The form of the track, for a writer of the same.
    let format: StoredFormat

    // The reader is used by one thread at a time, under the lock.
    private struct Opened: @unchecked Sendable {
        let packets: StoredPackets
    }

    private let opened: Mutex<Opened>
    private let thread = ThreadPool(name: "packets", size: 1)
    /// The asset keeps a source in memory alive.
    private let asset: MediaAsset

    /// Opens a track of a media file.
    ///
    /// - Parameter id: the track's id, see `TrackFacts`.
    /// - Throws: `SplitreelError` where the asset is a composition, or has no such track.
    public init(_ asset: MediaAsset, track id: Int) async throws {
        let opened = try await onThread("opening") {
            Result {
                let facts = try asset.factsOnThisThread()
                return Opened(packets: try StoredPackets(path: facts.path, track: id))
            }
        }.get()
        format = opened.packets.format
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
        try await thread.result { [self] in
            Result { try opened.withLock { try $0.packets.seek(to: exact) } }
        }.get()
    }

    /// The next packet; nil after the last one.
    public func next() async throws -> StoredPacket? {
        try await thread.result { [self] in
            Result { try opened.withLock { try Self.next(of: $0.packets) } }
        }.get()
    }

    private static func next(of packets: StoredPackets) throws -> StoredPacket? {
        guard let packet = try packets.next() else { return nil }
        let zero = packets.time(0)
        return StoredPacket(
            packet.data, packet.pts.map { packets.time($0).mediaTime }, packet.dts.map { packets.time($0).mediaTime },
            (packets.time(packet.duration) - zero).mediaTime, packet.isKey, endTrim: packet.endTrim ?? 0)
    }
}
