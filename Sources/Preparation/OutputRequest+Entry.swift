import MediaTime
import Outputs
package import Planning
package import SplitreelProject

extension OutputRequest {
    /// The request, with settings that the command line did not say taken from the file's own output, the one at
    /// `index`.
    package func filled(from entry: OutputEntry, at index: Int? = nil) -> OutputRequest {
        var request = self
        request.entry = index
        let entry = entry.ofItsKind.withoutSettings(ofOtherCodecsThan: self)
        let groups = OutputEntry(delivery, canvas, stills, tags).filled(
            from: OutputEntry(entry.delivery, entry.canvas, entry.stills, entry.tags))
        request.delivery = groups.delivery
        request.canvas = groups.canvas
        request.stills = groups.stills
        request.tags = groups.tags
        if let settings = entry.videoSettings { request.picture = picture.taking(settings) }
        if let settings = entry.audioSettings { request.sound = sound.taking(settings) }
        // The command line's settings go before all of the tracks'.
        request.soundTracks = soundTracks ?? entry.audioTracks?.map { $0.yielding(to: sound) }
        // The passes come after the settings on which they depend.
        if request.picture.passes == nil, picture.crf == nil {
            request.picture.passes = request.usualPasses(of: entry)
        }
        request.fillKind(from: entry)
        request.timing = timing.taking(TimingRequest(entry, hasRange: request.stills.times == nil))
        return request
    }

    /// Takes the settings that stills and waveforms have of their own.
    private mutating func fillKind(from entry: OutputEntry) {
        switch entry.type ?? .file {
        case .file: break
        case .images:
            // Without times each frame is an image; under another name none is, and planning says so.
            let isOfImages = (try? Container(of: self))?.kind == .images
            if stills.times == nil, !isOfImages { stills.times = [] }
        case .waveform: delivery.fileType = Container.waveform.rawValue
        }
    }

    /// The number of passes: `multiPass` allows two, which are made where they help: of a bit rate in h264 or hevc, in
    /// one file. nil otherwise.
    private func usualPasses(of entry: OutputEntry) -> Int? {
        guard entry.multiPass == true, picture.bitRate != nil, picture.constantBitRate != true,
            let container = try? Container(of: self), container.stream == nil
        else { return nil }
        let codec = picture.codec.map { PictureCodec(rawValue: $0.lowercased()) } ?? container.videoCodecs.first
        return codec?.sharesBits == true ? 2 : nil
    }
}

extension OutputEntry {
    /// The entry without settings that outputs of another type have: they are told of, and do nothing.
    fileprivate var ofItsKind: OutputEntry {
        var entry = self
        if type != .images {
            entry.stills.times = nil
            entry.canvas.maximumSize = nil
        }
        if type != .waveform { entry.delivery.samplesPerBucket = nil }
        return entry
    }

    /// The entry without settings of other codecs. A rate, a quality or a profile is one of its codec: where the
    /// command line names another codec, the entry's do not count.
    fileprivate func withoutSettings(ofOtherCodecsThan request: OutputRequest) -> OutputEntry {
        var (entry, own) = (self, request)
        own.delivery.fileType = request.delivery.fileType ?? delivery.fileType
        let container = try? Container(of: own)
        let usual = (video: container?.videoCodecs.first?.rawValue, audio: container?.audioCodecs.first?.rawValue)
        if let codec = request.picture.codec?.lowercased(), codec != videoSettings?.codec?.lowercased() ?? usual.video {
            entry.videoSettings = videoSettings?.withoutCodecSettings
        }
        if let codec = request.sound.codec?.lowercased(), codec != audioSettings?.codec?.lowercased() ?? usual.audio {
            entry.audioSettings?.bitRate = nil
        }
        return entry
    }
}

extension TimingRequest {
    /// The times of an entry.
    fileprivate init(_ entry: OutputEntry, hasRange: Bool) {
        self.init()
        if hasRange, let range = entry.range {
            rangeStart = range.start.plain.text
            rangeDuration = range.duration.plain.text
        }
        if let duration = entry.frameDuration, duration.isNumeric, duration.value > 0 {
            let frame = Rational(duration)
            frameRate = "\(frame.denominator)/\(frame.numerator)"
        }
        posterTime = entry.posterTime?.description
        coverFrames = entry.coverFrames
        segmentInterval = entry.segmentInterval?.description
    }
}

extension MediaTime {
    /// The time as people write it; one that is no number, such as an endless duration, as it is.
    fileprivate var plain: MediaTime { isNumeric ? Rational(self).plainTime : self }
}
