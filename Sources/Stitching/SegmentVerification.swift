internal import Diagnostics
import Hashing
internal import Libav
internal import MediaReading
package import MediaTime
internal import MediaWriting
package import Outputs
internal import Pictures
package import Planning

/// Holds a segment's record against its task and, for a chunk, against chunk 0's record: the first half of verifying a
/// segment. No file is opened. `verifyBytes` is the other half.
///
/// `task` is the chunk's index, nil for the sound; `reference` is nil for chunk 0 and for the sound. Throws
/// `.segmentInvalid` for whatever does not fit. Whether the segment was made for a task of the same content is another
/// question: see `SegmentRecord.require(key:path:)`.
package func verifyRecord(
    path: String, record: SegmentRecord, plan: RenderPlan, task: Int?, reference: SegmentRecord?
) throws {
    try SegmentCheck(path: path, record: record).promise(plan: plan, task: task, reference: reference)
}

/// Checks that the file holds what its record says and nothing else: bytes, codec, size, frames, parameter sets. Reads
/// the file once, decodes nothing.
package func verifyBytes(
    path: String, record: SegmentRecord, output: OutputSettings, frameDuration: MediaTime
) throws {
    let check = SegmentCheck(path: path, record: record)
    let reader = try SegmentReader(path: path, byteCount: record.byteCount, frameDuration: frameDuration)
    try check.require(
        sha256(reader.extradata) == record.extradataHash, "its parameter sets are not those that were promised")
    switch (record.media, output.video, output.audio) {
    case (.video, let settings?, _): try check.picture(reader, settings)
    case (.audio, _, let settings?): try check.sound(reader, settings)
    default: try check.require(false, "the plan has no \(record.media.rawValue)")
    }
    try reader.requireBytes(of: record)
}

/// The checks of one segment.
struct SegmentCheck {
    let path: String
    let record: SegmentRecord

    func require(_ condition: Bool, _ otherwise: @autoclosure () -> String) throws {
        guard condition else { throw invalidSegment(path, otherwise()) }
    }

    /// Checks the record alone, against the plan.
    func promise(plan: RenderPlan, task: Int?, reference: SegmentRecord?) throws {
        if let fault = record.numberFault { throw invalidSegment(path, fault) }
        guard let task else {
            try require(record.media == .audio, "it holds a picture, not the sound")
            try require(
                record.count == plan.sampleCount, "it holds \(record.count) samples, the plan has \(plan.sampleCount)")
            try require(record.packetCount > 0, "its record has no packets")
            try require(
                plan.copiedSound?.canBe(record) ?? true,
                "its packets or their header are not those that the plan copies")
            return
        }
        try require(record.media == .video, "it holds sound, not chunk \(task)")
        try require(plan.chunks.indices.contains(task), "the plan has no chunk \(task)")
        let chunk = plan.chunks[task]
        try require(
            record.count == chunk.frameCount,
            "it holds \(record.count) frames, chunk \(task) has \(chunk.frameCount)")
        try require(record.packetCount == record.count, "\(record.packetCount) packets for \(record.count) frames")
        try require(
            record.reorderDepth >= 0 && record.reorderDepth <= (plan.output.video?.reorderDepth ?? 0),
            "frames are reordered by \(record.reorderDepth)")
        try require(
            (record.light != nil) == (plan.output.video?.measuresLight == true), "its light is not what the plan wants")
        let hasPoster = plan.output.posterFrame.map { chunk.frames.contains($0) } ?? false
        try require((record.poster != nil) == hasPoster, "its poster is not what the plan wants")
        if let reference {
            try require(
                record.extradataHash == reference.extradataHash,
                "its parameter sets differ from chunk 0's: the encoders or their settings differ")
        }
    }

    func picture(_ reader: SegmentReader, _ settings: VideoSettings) throws {
        try require(reader.media == .video, "it holds no picture")
        try requirePictureFormat(reader, settings)
        var order = PresentationOrder(count: record.count, path: path, settings: settings)
        while let packet = try reader.next() {
            if settings.hasBlockAdditions { try packet.requireBlockAddition(of: path) }
            try order.take(packet)
        }
        try order.finish()
        try require(order.depth == record.reorderDepth, "frames are reordered by \(order.depth)")
    }

    func requirePictureFormat(_ reader: SegmentReader, _ settings: VideoSettings) throws {
        try require(reader.codecName == settings.codec.ofSegments.libavName, "it is \(reader.codecName)")
        try require(reader.size == settings.size, "its picture is \(reader.size.width)x\(reader.size.height)")
    }

    func sound(_ reader: SegmentReader, _ settings: AudioSettings) throws {
        try require(
            reader.media == .audio && reader.codecName == settings.codec.libavName
                && reader.sampleRate == settings.sampleRate && reader.channels == settings.channels,
            "it is \(reader.codecName), \(reader.sampleRate) Hz, \(reader.channels) channels")
        try requireFinalHeader(reader, settings)
        var packets = 0
        var last: Int64 = -1
        while let packet = try reader.next() {
            let position = packet.pts ?? -1
            try require(packets == 0 ? position == 0 : position > last, "packet \(packets) is out of order")
            last = position
            packets += 1
        }
        try require(packets == record.packetCount, "\(packets) packets, \(record.packetCount) promised")
        let (end, overflow) = last.addingReportingOverflow(Int64(record.lastPacketDuration))
        let promised = record.unitsWithPriming ?? 0
        try require(
            !overflow && end == Int64(promised), "its sound ends at sample \(end), not \(promised)")
    }

    /// Checks a final header: only FLAC has one, and it is the first one but for the lengths of its frames, the number
    /// of its samples and their sum.
    private func requireFinalHeader(_ reader: SegmentReader, _ settings: AudioSettings) throws {
        guard let header = record.finalHeader else { return }
        let first = reader.extradata
        try require(
            settings.codec.hasFinalHeader && header.count == 34 && first.count == 34 && header[..<4] == first[..<4]
                && header[10..<13] == first[10..<13] && header[13] >> 4 == first[13] >> 4,
            "its final header is not its own")
    }
}
