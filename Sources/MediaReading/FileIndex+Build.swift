internal import CFFmpeg
internal import Diagnostics
internal import Libav
internal import MediaFacts
internal import MediaTime
internal import SplitreelFiles

extension FileIndex {
    /// Indexes a file: reads all packets once without decoding. Tracks whose packets lack times are decoded once on top
    /// of it. Throws what the source throws: an index of what came before would be one of another file.
    static func build(_ source: any MediaSource) throws -> (index: FileIndex, beginning: FileBeginning?) {
        if let pictures = try PictureFiles.open(source) { return (pictures.index(), nil) }
        var builder = try IndexBuilder(demuxer: Demuxer(source))
        try builder.readPackets()
        builder.joinClocks()
        try builder.resolveTimes()
        return (try builder.finish(), builder.beginning)
    }
}

private struct IndexBuilder {
    let demuxer: Demuxer
    let beginning: FileBeginning
    /// Streams of VP8 and VP9 whose packets carry a second bitstream.
    let alphaLayers: Set<Int>
    var tracks: [PacketIndex]
    var audioStarts: [Int: Rational] = [:]
    var audioFaults: [Int: TrackFacts.Fault] = [:]
    var warnings: [String] = []
    private var copies = CopyFindings()
    /// The numbers of the packets that begin a part of a file whose clock begins again, by stream.
    private var partStarts: [Int: [Int]] = [:]
    /// Tracks whose next packet follows a place that the demuxer complained of.
    private var afterLoss: Set<Int> = []

    init(demuxer: Demuxer) throws {
        (self.demuxer, beginning) = (demuxer, try FileBeginning(of: demuxer))
        alphaLayers = Set(
            (0..<demuxer.streamCount).filter { unsafe Decoder.hasAlphaLayer(demuxer.pointer(toStream: $0)) })
        tracks = Array(repeating: PacketIndex(), count: demuxer.streamCount)
    }

    private func isMedia(_ stream: Int) -> Bool {
        [AVMEDIA_TYPE_VIDEO, AVMEDIA_TYPE_AUDIO].contains(demuxer.type(stream))
    }

    mutating func readPackets() throws {
        let packet = try Packet()
        demuxer.select(Set((0..<demuxer.streamCount).filter(isMedia)))
        var (total, losses) = (0, 0)
        _ = Libav.takeComplaints()
        while try demuxer.read(into: packet) {
            if Libav.takeComplaints() > 0 {
                losses += 1
                afterLoss = Set(tracks.indices)
            }
            let stream = packet.streamIndex
            total += 1
            guard stream < tracks.count, isMedia(stream) || total > ReadLimits.packets else { continue }
            if total > ReadLimits.packets {
                warnings.append("only the first \(ReadLimits.packets) packets were indexed")
                break
            }
            try beginning.take(packet)
            append(packet, to: stream)
        }
        if demuxer.impossibleTimes > 0 {
            warnings.append("\(demuxer.impossibleTimes) packets have times that no film has; they count as without")
        }
        if losses > 0 { warnings.append("\(losses == 1 ? "one place" : "\(losses) places") in it cannot be read") }
        if let error = demuxer.readError { warnings.append("reading stopped early: \(error)") }
        let late = (tracks.count..<max(tracks.count, demuxer.streamCount)).count(where: isMedia)
        if late > 0 { warnings.append("tracks that begin in the middle of it are not read: \(late)") }
        for (stream, track) in tracks.enumerated() where track.corruptCount > 0 {
            warnings.append("track \(stream + 1): \(track.corruptCount) packets are marked corrupt")
        }
    }

    private mutating func append(_ packet: borrowing Packet, to stream: Int) {
        let raw = packet.fields
        var flags: PacketEntry.Flags = []
        if raw.flags & AV_PKT_FLAG_KEY != 0 { flags.insert(.key) }
        if alphaLayers.contains(stream), !AlphaLayer.isKey(packet, codec: demuxer.parameters(stream).codec_id) {
            flags.remove(.key)
        }
        if raw.flags & AV_PKT_FLAG_DISCARD != 0 { flags.insert(.discard) }
        // A WAV whose length is left open ends with a packet that is short, and right.
        let isCorrupt =
            raw.flags & AV_PKT_FLAG_CORRUPT != 0
            && (demuxer.formatName != "wav" || FilmEnd.isCutOff(wave: demuxer.source))
        if isCorrupt { tracks[stream].corruptCount += 1 }
        if afterLoss.remove(stream) != nil || isCorrupt { flags.insert(.afterLoss) }
        if raw.pts == SR_NOPTS { flags.insert(.noTime) }
        if HiddenFrame.isHidden(raw, codec: demuxer.parameters(stream).codec_id) {
            flags.insert(.silent)
        }
        let trim = packet.endTrim
        if trim != nil { flags.insert(.trims) }
        if packet.isReconfiguring { tracks[stream].isReconfigured = true }
        tracks[stream].endTrim = trim ?? 0
        copies.take(packet, stream, of: demuxer)
        tracks[stream].entries.append(
            PacketEntry(
                pts: raw.pts == SR_NOPTS ? 0 : raw.pts, dts: raw.dts, position: raw.pos, duration: packet.duration,
                size: raw.size, sum: packet.sum, flags: flags))
    }

    /// Puts the tracks of formats whose clock may begin again, step or wrap midway on one line of time.
    mutating func joinClocks() {
        guard demuxer.mayChangeClock else { return }
        for program in demuxer.programs {
            // Streams that turned up midway have no track.
            let streams = program.filter {
                tracks.indices.contains($0) && isMedia($0) && !tracks[$0].entries.isEmpty
            }
            guard let base = streams.first.map({ demuxer.stream($0).time_base }), base.num == 1,
                streams.allSatisfy({ demuxer.stream($0).time_base.den == base.den })
            else { continue }
            let line = ClockLine(
                streams.map { (tracks[$0].entries, demuxer.type($0) == AVMEDIA_TYPE_VIDEO) }, second: Int64(base.den),
                round: demuxer.roundOfClock, partsBeginAtZero: demuxer.partsBeginAtZero)
            for (place, stream) in streams.enumerated() {
                guard let packets = line.packets(place) else { continue }
                tracks[stream].entries = packets
                partStarts[stream] = line.starts(place)
                // Nothing of one part shows in the next one. Links of Ogg say themselves where they end.
                let flags: PacketEntry.Flags = demuxer.formatName == "ogg" ? .key : [.key, .part]
                for number in line.starts(place) { tracks[stream].entries[number].flags.formUnion(flags) }
            }
            if line.stepCount > 0 {
                let places = line.stepCount == 1 ? "one place" : "\(line.stepCount) places"
                warnings.append("its clock begins anew at \(places); each part follows the one before it")
                if let words = demuxer.unread(behind: streams.map { tracks[$0].entries }) { warnings.append(words) }
            }
        }
    }

    mutating func resolveTimes() throws {
        // Ogg's last packet already has its length without the samples that are cut off.
        if demuxer.formatName == "ogg" { for stream in tracks.indices { tracks[stream].endTrim = 0 } }
        for stream in tracks.indices where !tracks[stream].entries.isEmpty {
            if demuxer.type(stream) == AVMEDIA_TYPE_AUDIO {
                fillAudioTimes(stream)
                noteMended(tracks[stream].mendExcursions(demuxer.stream(stream).time_base), stream)
                tracks[stream].rebuild()
                try findFirstSample(stream)
            } else {
                forgetGuesses(stream)
                if tracks[stream].entries.contains(where: { $0.flags.contains(.noTime) }) {
                    try estimateTimes(stream)
                }
                tracks[stream].rebuild()
                noteMended(tracks[stream].mendTimes(), stream)
                try silenceUndecodableStart(stream)
                try silenceUndecodableParts(stream)
                let fields = demuxer.stream(stream)
                tracks[stream].rate = FrameRate(
                    tracks[stream], base: fields.time_base, guesses: [fields.r_frame_rate, fields.avg_frame_rate])
            }
            takeEdits(stream)
        }
    }

    private mutating func takeEdits(_ stream: Int) {
        guard let stated = demuxer.edits(stream) else { return }
        let end = tracks[stream].displayEnd(lastDuration: tracks[stream].rate?.ticks ?? 0) ?? 0
        tracks[stream].edits = stated.list(mediaEnd: Rational(ticks: end, demuxer.stream(stream).time_base))
        if tracks[stream].edits == nil {
            warnings.append("track \(stream + 1): its edit list shows nothing, or is not one of a film; it is not used")
        } else if stated.isReversed {
            warnings.append("track \(stream + 1): parts that its edit list plays backwards are played forwards")
        }
    }

    private mutating func noteMended(_ count: Int, _ stream: Int) {
        if count > 0 { warnings.append("track \(stream + 1): packets with times that cannot be, mended: \(count)") }
    }

    /// Gives packets without a time their decode time, or else the end of their predecessor.
    private mutating func fillAudioTimes(_ stream: Int) {
        var next: Int64 = 0
        for number in tracks[stream].entries.indices {
            var entry = tracks[stream].entries[number]
            if entry.flags.contains(.noTime) { entry.pts = ticks(entry.dts) ?? next }
            next = entry.pts &+ entry.duration
            tracks[stream].entries[number] = entry
        }
    }

    /// Forgets the times that libavformat made up for pictures at which the file states none, as it does for all codecs
    /// but a few.
    private mutating func forgetGuesses(_ stream: Int) {
        let codecs = [AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_VVC]
        guard statesSomeTimes, !codecs.contains(demuxer.parameters(stream).codec_id) else { return }
        for number in tracks[stream].entries.indices where tracks[stream].entries[number].position < 0 {
            tracks[stream].entries[number].flags.insert(.noTime)
        }
    }

    /// Whether the file states the times of single pictures, which hold whatever libavformat makes of the others.
    private var statesSomeTimes: Bool { demuxer.formatName == "mpeg" || demuxer.formatName == "mpegts" }

    /// Estimates the times of video that has no presentation times (AVI with B-frames, raw streams): the decoder's
    /// output order decides. The n-th frame out gets the n-th smallest decode time, moved by the delay that the packets
    /// with both times show. Without decode times it gets n frame durations. Times that the file does give stay.
    private mutating func estimateTimes(_ stream: Int) throws {
        let entries = tracks[stream].entries
        tracks[stream].areTimesEstimated = true
        let order = try outputOrder(stream)
        let times = statesSomeTimes ? timesBetween(order, stream) : timesByDecoding(order, stream)
        for number in entries.indices {
            tracks[stream].entries[number].flags.insert(.silent)
            // Decoding starts only at packets that show a frame.
            tracks[stream].entries[number].flags.remove(.key)
            if entries[number].flags.contains(.noTime) {
                tracks[stream].entries[number].pts = ticks(entries[number].dts) ?? 0
            }
        }
        var previous: Int64?
        for (place, number) in order.enumerated() {
            let own = entries[number]
            var time = times[place]
            if let previous, time <= previous { time = previous &+ 1 }
            tracks[stream].entries[number].pts = time
            tracks[stream].entries[number].flags = own.flags.subtracting(.silent)
            previous = time
        }
    }

    private func timesBetween(_ order: [Int], _ stream: Int) -> [Int64] {
        let entries = order.map { tracks[stream].entries[$0] }
        return StatedTimes.filled(
            entries.map { ($0.flags.contains(.noTime) ? nil : $0.pts, $0.duration) }, step: frameTicks(stream))
    }

    private func timesByDecoding(_ order: [Int], _ stream: Int) -> [Int64] {
        let entries = tracks[stream].entries
        let grid = timeGrid(entries, count: order.count, step: frameTicks(stream))
        let delays = order.indices.filter { !entries[order[$0]].flags.contains(.noTime) }.map {
            entries[order[$0]].pts &- grid[$0]
        }.sorted()
        let delay = delays.isEmpty ? 0 : delays[delays.count / 2]
        return order.enumerated().map { place, number in
            entries[number].flags.contains(.noTime) ? grid[place] &+ delay : entries[number].pts
        }
    }

    /// Rising times in ticks for that many frames, by decode times where there are enough different ones, or by even
    /// steps.
    private func timeGrid(_ entries: PacketEntries, count: Int, step: Int64) -> [Int64] {
        let times = entries.filter { !$0.flags.contains(.discard) }.compactMap { ticks($0.dts) }.sorted()
        let isUsable = times.count >= count && zip(times, times.dropFirst()).allSatisfy(!=)
        return (0..<count).map { isUsable ? times[$0] : Int64($0) &* step }
    }

    /// The length of a frame in ticks by the stream's rate, or by 25 frames a second where it has none; at least 1.
    private func frameTicks(_ stream: Int) -> Int64 {
        let fields = demuxer.stream(stream)
        let rate = fields.avg_frame_rate.num > 0 ? fields.avg_frame_rate : fields.r_frame_rate
        let duration =
            rate.num > 0 && rate.den > 0 ? AVRational(num: rate.den, den: rate.num) : AVRational(num: 1, den: 25)
        return Int64(max(1, (Rational(duration) / Rational(fields.time_base)).rounded()))
    }

    private func outputOrder(_ stream: Int) throws -> [Int] {
        var order: [Int] = []
        let frames = try FrameSource(demuxer.source, stream: stream, index: tracks[stream])
        let frame = try Frame()
        while let number = try frames.next(into: frame) {
            if tracks[stream].entries.indices.contains(number) { order.append(number) }
        }
        return order
    }

    /// Silences the pictures that a file may begin with and whose references were cut away: the decoder gives none of
    /// them.
    private mutating func silenceUndecodableStart(_ stream: Int) throws {
        let index = tracks[stream]
        guard let first = index.display.first, let key = index.entries.firstIndex(where: { $0.flags.contains(.key) }),
            index.entries[Int(first)].pts < index.entries[key].pts,
            let number = try firstDecoded(stream), index.entries.indices.contains(number)
        else { return }
        let start = index.entries[number].pts
        var silenced = 0
        for place in index.entries.indices where index.entries[place].pts < start {
            tracks[stream].entries[place].flags.insert(.silent)
            silenced += 1
        }
        if silenced > 0 {
            tracks[stream].rebuild()
            warnings.append("track \(stream + 1): the first \(silenced) pictures lack their references")
        }
    }

    /// Silences the pictures of a part that follows another one and whose references were cut away.
    private mutating func silenceUndecodableParts(_ stream: Int) throws {
        let starts = partStarts[stream] ?? []
        for (place, start) in starts.enumerated() {
            let part = start..<(place + 1 < starts.count ? starts[place + 1] : tracks[stream].entries.count)
            guard let first = try firstDecoded(stream, from: start), part.contains(first) else { continue }
            let time = tracks[stream].entries[first].pts
            for number in part where tracks[stream].entries[number].pts < time {
                tracks[stream].entries[number].flags.insert(.silent)
            }
        }
        if !starts.isEmpty { tracks[stream].rebuild() }
    }

    /// The number of the packet of the first picture that is decoded; nil where there is none.
    private func firstDecoded(_ stream: Int, from start: Int = 0) throws -> Int? {
        do {
            let frames = try FrameSource(
                demuxer.source, stream: stream, index: tracks[stream], beginning: start > 0 ? nil : beginning)
            if start > 0 { try frames.seek(to: start) }
            return try frames.next(into: Frame())
        } catch let error as SplitreelError where error.isOfSource {
            throw error
        } catch {
            return nil
        }
    }

    /// Takes the start of sound from the decoder's first frame: the decoder knows of priming and of discarded packets.
    private mutating func findFirstSample(_ stream: Int) throws {
        let base = demuxer.stream(stream).time_base
        do {
            let frame = try FirstFrame.decode(
                demuxer.source, stream: stream, index: tracks[stream], beginning: beginning)
            let shown = tracks[stream].display.first.map { tracks[stream].entries[Int($0)].pts }
            guard let pts = ticks(frame.fields.pts) ?? shown else { return }
            audioStarts[stream] = Rational(ticks: pts, base)
            let parameters = demuxer.parameters(stream)
            let starts = partStarts[stream] ?? []
            let rate = Int(frame.fields.sample_rate)
            let change = tracks[stream].rateChange(at: starts, from: rate, in: demuxer.source, stream: stream)
            if let change { warnings.append("track \(stream + 1): \(change)") }
            guard starts.isEmpty else { return }
            tracks[stream].soundEntry = SoundEntry(
                tracks[stream], parameters, base, hasStatedRate: frame.fields.sample_rate == parameters.sample_rate)
        } catch let error as SplitreelError where error.isOfSource {
            throw error
        } catch {
            audioFaults[stream] = TrackFacts.Fault(error)
        }
    }

    /// Whether the file is a picture in ISO boxes, such as AVIF.
    private var isPictureBrand: Bool {
        guard let brand = unsafe entry("major_brand", of: demuxer.context.pointee.metadata) else { return false }
        return ["avif", "mif1", "heic", "heix"].contains(brand)
    }

    func finish() throws -> FileIndex {
        var starts = audioStarts.map { tracks[$0.key].edits?.start ?? $0.value }
        for (stream, track) in tracks.enumerated() where demuxer.type(stream) == AVMEDIA_TYPE_VIDEO {
            let fields = demuxer.stream(stream)
            guard fields.disposition & AV_DISPOSITION_ATTACHED_PIC == 0, let first = track.display.first else {
                continue
            }
            starts.append(track.edits?.start ?? Rational(ticks: track.entries[Int(first)].pts, fields.time_base))
        }
        let videos = tracks.indices.filter { demuxer.type($0) == AVMEDIA_TYPE_VIDEO }
        let name = demuxer.formatName
        let isPictureFormat = name.hasSuffix("_pipe") || ["gif", "apng", "ico", "image2pipe"].contains(name)
        let isImage =
            (isPictureFormat || isPictureBrand) && audioStarts.isEmpty && !videos.isEmpty
            && (name == "ico" || videos.allSatisfy { tracks[$0].display.count <= 1 })
        var origin = starts.min() ?? .zero
        // An edit list cuts inside a packet, which then begins before the presentation does.
        if origin.isNegative, name.hasPrefix("mov") { origin = .zero }
        for stream in tracks.indices { try checkSpan(stream, from: origin) }
        return FileIndex(
            tracks: tracks, origin: origin, isImage: isImage,
            findings: FileIndex.Findings(
                audioStarts: audioStarts, audioFaults: audioFaults, warnings: warnings, copies: copies))
    }

    /// Throws `mediaCannotOpen` unless times of one track can be added and subtracted and every asset time is a number.
    private func checkSpan(_ stream: Int, from origin: Rational) throws {
        let (track, base) = (tracks[stream], demuxer.stream(stream).time_base)
        var isPossible = track.entries.allSatisfy { ReadLimits.isTime($0.pts, base) }
        if let first = track.display.first, let last = track.display.last {
            for time in [first, last] {
                let distance = Rational(ticks: track.entries[Int(time)].pts, base) - origin
                if distance.magnitude > Rational(ReadLimits.span) { isPossible = false }
            }
        }
        guard isPossible else {
            throw SplitreelError(
                .mediaCannotOpen, operation: "indexing", subject: demuxer.source.name,
                reason: "the times in it span more than \(ReadLimits.span) s, which no film does",
                hint: "the file may be damaged")
        }
    }
}

extension SplitreelError {
    /// Whether the bytes could not be read; decoders and the times of a file have other codes.
    fileprivate var isOfSource: Bool { ErrorCode.ofSources.contains(code) }
}
