internal import CFFmpeg
internal import CodedVideo
internal import Diagnostics
internal import Libav
package import MediaFacts
internal import MediaTime
package import SplitreelFiles

/// The facts of a video track's packets that decide what of it can be copied; `track` is its position in the file from
/// 1. The file is read through where it was not yet, and nothing is decoded.
///
/// Throws `mediaHasNoSuchTrack`, and `mediaOverLimits` for more frames than a list of times holds.
package func codedTrack(_ source: any MediaSource, track: Int) throws -> CodedTrack {
    let index = try FileIndex.of(source, withFindings: true)
    guard index.tracks.indices.contains(track - 1), !index.tracks[track - 1].display.isEmpty,
        let found = index.findings?.copies.tracks[track - 1]
    else {
        throw SplitreelError(
            .mediaHasNoSuchTrack, operation: "reading packets", subject: source.name,
            reason: "there is no track \(track) with pictures")
    }
    let packets = index.tracks[track - 1]
    guard let offsets = packets.frameOffsets(), let times = packets.frameTimes(offsets, found.base, index.origin) else {
        throw SplitreelError(
            .mediaOverLimits, operation: "reading packets", subject: "\(source.name), track \(track)",
            reason: "it has more than \(FrameTimes.mostFrames) frames, or times that span too much")
    }
    var coded = CodedTrack(
        times: times, isIntra: packets.isRowOfKeys, header: found.header, profile: found.profile)
    coded.fault = packets.copyFault
    // The frames that have the time of the one in front of them.
    let tied = offsets.indices.dropFirst().filter { offsets[$0] == offsets[$0 - 1] }
    guard coded.fault == nil, let entries = found.entries else {
        guard coded.fault == nil else { return coded }
        if !coded.isIntra { coded.fault = packets.rowFault }
        if let frame = tied.first { coded.fault = CodedTrack.UnfitGroup.Fault.sameTime.clause(frame) }
        return coded
    }
    coded.isIntra = false
    (coded.fault, coded.setNumbers, coded.namesColours) = (entries.fault, entries.setNumbers, entries.namesColours)
    coded.numberingFault = entries.numberingFault
    if coded.fault == nil { coded.addGroups(packets, entries, tied: tied) }
    return coded
}

/// The first packets of a track of Opus that have one length; `track` is its position in the file from 1. The file is
/// read through where it was not yet. A track of anything else has none.
package func opusPackets(_ source: any MediaSource, track: Int) throws -> OpusPackets {
    try FileIndex.of(source, withFindings: true).findings?.copies.opus[track - 1] ?? OpusPackets()
}

/// The statements of a file's pictures, and of its Opus, about copies, taken down while the file is indexed.
struct CopyFindings {
    struct Track {
        let base: Rational
        let header: [UInt8]
        let profile: Int
        /// The packets that a copy may begin with; nil for codecs that are copied from any packet, or never.
        var entries: EntryList?
    }

    /// The tracks of pictures, by stream.
    private(set) var tracks: [Int: Track] = [:]
    /// The first packets of tracks of Opus, by stream.
    private(set) var opus: [Int: OpusPackets] = [:]
    /// The approximate number of bytes in memory; sets of a header are kept as they stand and by their content.
    var byteCount: Int { tracks.values.reduce(0) { $0 + 3 * $1.header.count + ($1.entries?.byteCount ?? 0) } }

    mutating func take(_ packet: borrowing Packet, _ stream: Int, of demuxer: Demuxer) {
        if tracks[stream] == nil {
            let parameters = demuxer.parameters(stream)
            if parameters.codec_id == AV_CODEC_ID_OPUS { opus[stream, default: OpusPackets()].take(packet.data) }
            guard parameters.codec_type == AVMEDIA_TYPE_VIDEO else { return }
            let header = unsafe bytes(parameters.extradata, count: parameters.extradata_size)
            let codecs = [AV_CODEC_ID_H264: PacketForm.Codec.h264, AV_CODEC_ID_HEVC: .hevc]
            tracks[stream] = Track(
                base: Rational(demuxer.stream(stream).time_base), header: header, profile: Int(parameters.profile),
                entries: codecs[parameters.codec_id].map { EntryList($0, header: header) })
        }
        tracks[stream]?.entries?.take(packet.data)
    }
}

extension FileIndex {
    /// Whether the picture of a track's first packet is known to be the first that its decoder gives out, and the same
    /// where nothing follows it: a decoder begins anew there, all pictures of the group say that they are shown behind
    /// it, and the group is longer than a decoder may wait.
    func beginsAlone(_ stream: Int) -> Bool {
        guard let list = findings?.copies.tracks[stream]?.entries, list.fault == nil, list.starts.first == 0 else {
            return false
        }
        let packets = tracks[stream]
        let end = list.starts.count > 1 ? list.starts[1] : packets.entries.count
        let row = packets.display.prefix(end)
        return (end > 16 || list.starts.count == 1) && row.first == 0 && row.allSatisfy { $0 < end }
            && packets.entries.prefix(end).allSatisfy { $0.flags.subtracting(.key).isEmpty }
            && !list.isForeign(0..<end) && list.disorder(row) == nil
    }
}

extension CodedTrack {
    /// Adds the groups that are whole: each begins where the decoder is begun anew, and its frames are one after the
    /// other.
    fileprivate mutating func addGroups(_ packets: PacketIndex, _ entries: EntryList, tied: [Int]) {
        var places = [Int32](repeating: -1, count: packets.entries.count)
        for (place, number) in packets.display.enumerated() { places[Int(number)] = Int32(place) }
        let starts = entries.starts.filter { $0 < places.count && packets.entries[$0].flags.contains(.key) }
        for (position, start) in starts.enumerated() {
            let end = position + 1 < starts.count ? starts[position + 1] : places.count
            let own = places[start..<end]
            guard !entries.isForeign(start..<end), let first = own.min(), let last = own.max(), first >= 0,
                Int(last - first) == own.count - 1,
                own.indices.allSatisfy({ packets.entries[$0].flags.subtracting(.key).isEmpty }),
                // Demuxers mark a packet beside the one that lost something.
                ![start - 1, end].contains(where: packets.isMarkedLost)
            else { continue }
            let group = Group(firstPacket: start, firstFrame: Int(first), count: own.count)
            let next = group.firstFrame + group.count
            // The frame behind the group takes the place of its last one where both have one time, and the group's
            // first one that of the frame before.
            if let frame = tied[tied.partitionPoint { $0 <= group.firstFrame }...].first, frame <= next {
                unfitGroups.append(UnfitGroup(group, frame: frame, .sameTime))
            } else if let (place, isEarlier) = entries.disorder(packets.display[group.firstFrame..<next]) {
                unfitGroups.append(
                    UnfitGroup(group, frame: group.firstFrame + place, isEarlier ? .earlier : .untold))
            } else if first == own.first {
                // Players seek to a key frame: the one that a copy begins with is shown first.
                groups.append(group)
                for (number, place) in own.enumerated() {
                    reorderDepth = max(reorderDepth, number - Int(place - first))
                }
            }
        }
        // The file's times may put groups in another order.
        groups.sort { $0.firstFrame < $1.firstFrame }
        unfitGroups.sort { $0.firstFrame < $1.firstFrame }
        if groups.isEmpty, unfitGroups.isEmpty { fault = "none of its groups of pictures stands alone" }
    }
}

extension PacketIndex {
    /// Whether there is such a packet, and the demuxer complained before it or marked it.
    fileprivate func isMarkedLost(_ number: Int) -> Bool {
        entries.indices.contains(number) && entries[number].flags.contains(.afterLoss)
    }

    /// Whether each packet is a key frame that is shown, in the order of the packets.
    fileprivate var isRowOfKeys: Bool {
        display.count == entries.count
            && display.enumerated().allSatisfy { Int($1) == $0 && entries[$0].flags == .key }
    }

    /// The reason why packets of single pictures are no row that can be copied from any of them on.
    fileprivate var rowFault: String {
        let isLost = entries.contains { $0.flags.contains(.afterLoss) }
        return isLost ? "a part of its file cannot be read" : "its packets are not one key frame after the other"
    }

    /// The reason why no packet of the track can be copied; nil where some can.
    fileprivate var copyFault: String? {
        if edits != nil { return "its edit list plays parts of it" }
        if areTimesEstimated { return "its file has no times of the frames" }
        if isReconfigured { return "its settings change within it" }
        return nil
    }

    /// The asset times from which the frames are shown, of `frameOffsets`. nil for more than a list holds.
    fileprivate func frameTimes(_ offsets: [Int64], _ base: Rational, _ origin: Rational) -> FrameTimes? {
        FrameTimes(start: due(0) * base - origin, tick: base / Rational(Int(partsOfATick)), tied: offsets)
    }

    private var partsOfATick: Int128 { rate?.grid?.step.denominator ?? 1 }

    /// The time in ticks from which a frame is shown: that by which `place(heldAt:)` goes.
    private func due(_ place: Int) -> Rational { min(Rational(Int(displayTime(place))), evenTime(place)) }

    /// The times of the frames behind the first one's, in parts of a tick; nil where these are too small.
    fileprivate func frameOffsets() -> [Int64]? {
        let parts = partsOfATick
        guard parts < 1 << 31 else { return nil }
        let first = due(0)
        var offsets: [Int64] = []
        offsets.reserveCapacity(display.count)
        for place in display.indices {
            let offset = (due(place) - first) * Rational(Int(parts))
            guard offset.denominator == 1, let whole = Int64(exactly: offset.numerator) else { return nil }
            offsets.append(whole)
        }
        return offsets
    }
}
