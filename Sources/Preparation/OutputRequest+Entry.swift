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
        let entry = entry.withoutSettings(ofOtherCodecsThan: self)
        request.fileType = fileType ?? entry.fileType
        request.size = size ?? entry.size
        request.frameRate = frameRate ?? entry.frameRate
        request.videoCodec = videoCodec ?? entry.videoSettings?.codec
        request.crf = crf ?? (videoBitRate == nil ? entry.videoSettings?.crf : nil)
        request.videoBitRate = videoBitRate ?? (crf == nil ? entry.videoSettings?.bitRate : nil)
        request.maximumBitRate = maximumBitRate ?? entry.videoSettings?.maximumBitRate
        request.bufferSize = bufferSize ?? (maximumBitRate == nil ? entry.videoSettings?.bufferSize : nil)
        request.isConstantRate = isConstantRate ?? (crf == nil ? entry.videoSettings?.constantBitRate : nil)
        request.posterTime = posterTime ?? entry.posterTime?.description
        request.coverFrames = coverFrames ?? entry.coverFrames
        request.pitch = pitch ?? entry.pitch
        request.startNumber = startNumber ?? entry.startNumber
        request.loopCount = loopCount ?? entry.loopCount
        request.profile = profile ?? entry.videoSettings?.profile
        request.level = level ?? entry.videoSettings?.level
        request.tune = tune ?? entry.videoSettings?.tune
        request.keyFrameInterval = keyFrameInterval ?? entry.videoSettings?.keyFrameInterval
        request.keyFramesAtCuts = keyFramesAtCuts ?? entry.videoSettings?.keyFramesAtCuts
        request.isFragmented = isFragmented ?? entry.fragmented
        request.fileLengthLimit = fileLengthLimit ?? entry.fileLengthLimit
        request.renditions =
            renditions
            ?? entry.renditions?.map { entry in
                var rendition = Rendition(size: entry.size, videoBitRate: entry.videoSettings?.bitRate)
                rendition.maximumBitRate = entry.videoSettings?.maximumBitRate
                rendition.bufferSize = entry.videoSettings?.bufferSize
                rendition.crf = entry.videoSettings?.crf
                return rendition
            }
        request.segmentInterval = segmentInterval ?? entry.segmentInterval?.description
        request.exportPreset = exportPreset ?? entry.preset
        request.preset = preset ?? entry.videoSettings?.encoderPreset
        request.pixelFormat = pixelFormat ?? entry.videoSettings?.pixelFormat
        request.pixelAspect = pixelAspect ?? entry.videoSettings?.pixelAspect
        request.audioCodec = audioCodec ?? entry.audioSettings?.codec
        request.audioBitRate = audioBitRate ?? entry.audioSettings?.bitRate
        request.sampleRate = sampleRate ?? entry.audioSettings?.sampleRate
        if channels == nil && channelLayout == nil {
            request.channels = entry.audioSettings?.channels
            request.channelLayout = entry.audioSettings?.channelLayout
        }
        request.audioTracks =
            audioTracks
            ?? entry.audioTracks?.map { track in
                var own = SoundTrackRequest()
                // The command line's settings go before all of the tracks'.
                own.codec = audioCodec == nil ? track.codec : nil
                own.bitRate = audioBitRate ?? track.bitRate
                own.sampleRate = sampleRate == nil ? track.sampleRate : nil
                if channels == nil && channelLayout == nil {
                    (own.channels, own.channelLayout) = (track.channels, track.channelLayout)
                }
                (own.name, own.language, own.dispositions) = (track.name, track.language, track.disposition)
                return own
            }
        // The passes come after the settings on which they depend.
        request.passes = passes ?? (crf == nil ? entry.videoSettings?.passes ?? request.usualPasses(of: entry) : nil)
        request.tags = tags ?? FilmTagRequest(entry)
        request.fillKind(from: entry)
        if rangeStart == nil, request.stillTimes == nil, let range = entry.range {
            request.rangeStart = range.start.plain.text
            request.rangeDuration = range.duration.plain.text
        }
        return request
    }
}

extension OutputEntry {
    /// The frame rate as the command line has it; nil where the entry says none.
    fileprivate var frameRate: String? {
        guard let frameDuration, frameDuration.isNumeric, frameDuration.value > 0 else { return nil }
        let frame = Rational(frameDuration)
        return "\(frame.denominator)/\(frame.numerator)"
    }

    /// The entry without settings of other codecs. A rate, a quality or a profile is one of its codec: where the
    /// command line names another codec, the entry's do not count.
    fileprivate func withoutSettings(ofOtherCodecsThan request: OutputRequest) -> OutputEntry {
        var (entry, own) = (self, request)
        own.fileType = request.fileType ?? fileType
        let container = try? Container(of: own)
        let usual = (video: container?.videoCodecs.first?.rawValue, audio: container?.audioCodecs.first?.rawValue)
        if let codec = request.videoCodec?.lowercased(), codec != videoSettings?.codec?.lowercased() ?? usual.video {
            var settings = entry.videoSettings
            settings?.crf = nil
            settings?.bitRate = nil
            settings?.profile = nil
            settings?.level = nil
            settings?.tune = nil
            settings?.encoderPreset = nil
            settings?.pixelFormat = nil
            entry.videoSettings = settings
        }
        if let codec = request.audioCodec?.lowercased(), codec != audioSettings?.codec?.lowercased() ?? usual.audio {
            entry.audioSettings?.bitRate = nil
        }
        return entry
    }
}

extension OutputRequest {
    /// Takes the settings that stills and waveforms have of their own.
    fileprivate mutating func fillKind(from entry: OutputEntry) {
        switch entry.type ?? .file {
        case .file: break
        case .images:
            // Without times each frame is an image; under another name none is, and planning says so.
            let isOfImages = (try? Container(of: self))?.kind == .images
            stillTimes = entry.times?.map(\.description) ?? (isOfImages ? nil : [])
            maximumSize = entry.maximumSize
        case .waveform: (fileType, samplesPerBucket) = (Container.waveform.rawValue, entry.samplesPerBucket)
        }
    }
}

extension OutputRequest {
    /// The number of passes: `multiPass` allows two, which are made where they help: of a bit rate in h264 or hevc, in
    /// one file. nil otherwise.
    fileprivate func usualPasses(of entry: OutputEntry) -> Int? {
        guard entry.multiPass == true, videoBitRate != nil, isConstantRate != true,
            let container = try? Container(of: self), container.stream == nil
        else { return nil }
        let codec = videoCodec.map { PictureCodec(rawValue: $0.lowercased()) } ?? container.videoCodecs.first
        return codec?.sharesBits == true ? 2 : nil
    }
}

extension FilmTagRequest {
    /// The tags of an entry; nil where it says nothing of the kind.
    fileprivate init?(_ entry: OutputEntry) {
        self.init()
        metadata = entry.metadata
        filter = entry.metadataFilter
        chapters = entry.chapters
        video = entry.videoSettings.flatMap {
            TrackRequest(language: $0.language, name: $0.name, dispositions: $0.disposition)
        }
        audio = entry.audioSettings.flatMap {
            TrackRequest(language: $0.language, name: $0.name, dispositions: $0.disposition)
        }
        if self == FilmTagRequest() { return nil }
    }
}

extension MediaTime {
    /// The time as people write it; one that is no number, such as an endless duration, as it is.
    fileprivate var plain: MediaTime { isNumeric ? Rational(self).plainTime : self }
}
