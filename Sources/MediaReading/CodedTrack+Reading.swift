internal import CFFmpeg
internal import CodedVideo
internal import Diagnostics
internal import Libav
package import MediaFacts
internal import MediaTime
package import SplitreelFiles

/// The facts of a video track's packets that decide what of it can be copied; `track` is its position in the file from
/// 1. The file is indexed where it is not yet.
///
/// Cost: of codecs whose frames depend on each other all packets are read, and nothing is decoded. Throws
/// `mediaHasNoSuchTrack`, and `mediaOverLimits` for more frames than a list of times holds.
package func codedTrack(_ source: any MediaSource, track: Int) throws -> CodedTrack {
    let index = try FileIndex.of(source)
    guard index.tracks.indices.contains(track - 1), !index.tracks[track - 1].display.isEmpty else {
        throw SplitreelError(
            .mediaHasNoSuchTrack, operation: "reading packets", subject: source.name,
            reason: "there is no track \(track) with pictures")
    }
    let packets = index.tracks[track - 1]
    let cursor = try PacketCursor(source, stream: track - 1, index: packets)
    let parameters = cursor.demuxer.parameters(track - 1)
    guard let times = packets.frameTimes(base: Rational(cursor.demuxer.stream(track - 1).time_base), index.origin)
    else {
        throw SplitreelError(
            .mediaOverLimits, operation: "reading packets", subject: "\(source.name), track \(track)",
            reason: "it has more than \(FrameTimes.mostFrames) frames, or frames of one time")
    }
    var coded = CodedTrack(
        times: times, isIntra: packets.isRowOfKeys,
        header: unsafe bytes(parameters.extradata, count: parameters.extradata_size), profile: Int(parameters.profile))
    coded.fault = packets.copyFault
    let codec: PacketForm.Codec? =
        switch parameters.codec_id {
        case AV_CODEC_ID_H264: .h264
        case AV_CODEC_ID_HEVC: .hevc
        default: nil
        }
    guard coded.fault == nil, let codec else {
        if coded.fault == nil, !coded.isIntra { coded.fault = "its packets are not one key frame after the other" }
        return coded
    }
    let rules = EntryRules(codec, header: coded.header)
    coded.isIntra = false
    (coded.fault, coded.setNumbers) = (rules.fault, rules.setNumbers)
    if coded.fault == nil { try coded.addGroups(packets, cursor, rules) }
    return coded
}

extension CodedTrack {
    /// Adds the groups that are whole: each begins where the decoder is begun anew, and its frames are one after the
    /// other.
    fileprivate mutating func addGroups(
        _ packets: PacketIndex, _ cursor: PacketCursor, _ rules: EntryRules
    ) throws {
        var places = [Int32](repeating: -1, count: packets.entries.count)
        for (place, number) in packets.display.enumerated() { places[Int(number)] = Int32(place) }
        var rules = rules
        // The key frames that begin a group, and the packets in which other sets hold than the header's.
        var (starts, foreign): ([Int], [Int]) = ([], [])
        while let number = try cursor.read(), packets.entries.indices.contains(number) {
            let entry = rules.take(cursor.packet.data)
            if case .unfit(let reason) = entry {
                fault = reason
                return
            }
            if !rules.isByHeader { foreign.append(number) }
            if entry == .start, packets.entries[number].flags.contains(.key) { starts.append(number) }
        }
        numberingFault = rules.numberingFault
        for (position, start) in starts.enumerated() {
            let end = position + 1 < starts.count ? starts[position + 1] : packets.entries.count
            let next = foreign.partitionPoint { $0 < start }
            if next < foreign.count, foreign[next] < end { continue }
            let range = start..<end
            let own = places[range]
            // Players seek to a key frame: the one that a copy begins with is shown first.
            guard let first = own.min(), let last = own.max(), first >= 0, first == own.first,
                Int(last - first) == range.count - 1,
                range.allSatisfy({ packets.entries[$0].flags.subtracting(.key).isEmpty })
            else { continue }
            groups.append(Group(firstPacket: start, firstFrame: Int(first), count: range.count))
            for (number, place) in own.enumerated() { reorderDepth = max(reorderDepth, number - Int(place - first)) }
        }
        if groups.isEmpty { fault = "none of its groups of pictures stands alone" }
    }
}

extension PacketIndex {
    /// Whether each packet is a key frame that is shown, in the order of the packets.
    fileprivate var isRowOfKeys: Bool {
        display.count == entries.count
            && display.enumerated().allSatisfy { Int($1) == $0 && entries[$0].flags == .key }
    }

    /// The reason why no packet of the track can be copied; nil where some can.
    fileprivate var copyFault: String? {
        if edits != nil { return "its edit list plays parts of it" }
        if areTimesEstimated { return "its file has no times of the frames" }
        if isReconfigured { return "its settings change within it" }
        return nil
    }

    /// The asset times from which the frames are shown: those by which `place(heldAt:)` goes. nil for more than a list
    /// holds, and where two frames have one time.
    fileprivate func frameTimes(base: Rational, _ origin: Rational) -> FrameTimes? {
        let parts = rate?.grid?.step.denominator ?? 1
        guard parts < 1 << 31 else { return nil }
        func due(_ place: Int) -> Rational { min(Rational(Int(displayTime(place))), evenTime(place)) }
        let first = due(0)
        var offsets: [Int64] = []
        offsets.reserveCapacity(display.count)
        for place in display.indices {
            let offset = (due(place) - first) * Rational(Int(parts))
            guard offset.denominator == 1, let whole = Int64(exactly: offset.numerator) else { return nil }
            offsets.append(whole)
        }
        return FrameTimes(start: first * base - origin, tick: base / Rational(Int(parts)), offsets: offsets)
    }
}
