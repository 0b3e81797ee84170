import Outputs

extension OutputRequest {
    /// What is asked of the picture, by its options; neither what a preset says nor `--fps`, which all outputs of a job
    /// share.
    package var pictureOptions: [String] {
        let asked: [(option: String, isAsked: Bool)] = [
            ("--video-codec", videoCodec != nil), ("--crf", crf != nil), ("--video-bitrate", videoBitRate != nil),
            ("--encoder-preset", preset != nil), ("--max-bitrate", maximumBitRate != nil),
            ("--buffer-size", bufferSize != nil), ("--constant-bitrate", isConstantRate == true),
            ("--two-pass", (passes ?? 1) != 1), ("--profile", profile != nil), ("--level", level != nil),
            ("--tune", tune != nil), ("--key-frame-interval", keyFrameInterval != nil),
            ("--key-frames-at-cuts", keyFramesAtCuts == true), ("--pixel-format", pixelFormat != nil),
            ("--pixel-aspect", pixelAspect != nil), ("--size", size != nil),
        ]
        return asked.filter(\.isAsked).map(\.option)
    }

    /// What is asked of the sound, by its options. That there is none is asked of no sound.
    package var soundOptions: [String] {
        let asked: [(option: String, isAsked: Bool)] = [
            ("--audio-codec", audioCodec != nil && audioCodec?.lowercased() != "none"),
            ("--audio-bitrate", audioBitRate != nil), ("--sample-rate", sampleRate != nil),
            ("--channels", channels != nil), ("--channel-layout", channelLayout != nil),
            ("--audio-tracks", audioTracks != nil),
        ]
        return asked.filter(\.isAsked).map(\.option)
    }

    /// Without what is asked of the picture.
    package var withoutPicture: OutputRequest {
        var request = self
        (request.videoCodec, request.crf, request.videoBitRate, request.preset) = (nil, nil, nil, nil)
        (request.maximumBitRate, request.bufferSize, request.isConstantRate, request.passes) = (nil, nil, nil, nil)
        (request.profile, request.level, request.tune) = (nil, nil, nil)
        (request.keyFrameInterval, request.keyFramesAtCuts) = (nil, nil)
        (request.pixelFormat, request.size, request.pixelAspect) = (nil, nil, nil)
        return request
    }

    /// Without what is asked of the sound.
    package var withoutSound: OutputRequest {
        var request = self
        if audioCodec?.lowercased() != "none" { request.audioCodec = nil }
        (request.audioBitRate, request.sampleRate) = (nil, nil)
        (request.channels, request.channelLayout, request.audioTracks) = (nil, nil, nil)
        return request
    }
}

extension [OutputRequest] {
    /// Of the outputs of one command: what is asked of all pictures is not asked of the sounds beside them, nor what is
    /// asked of all sounds of films without. `fill` adds what each says itself.
    package func sharedOut(fill: (_ index: Int, _ request: OutputRequest) -> OutputRequest) -> [OutputRequest] {
        let filled = enumerated().map(fill)
        let containers = filled.map { try? Container(of: $0) }
        let areSilent = zip(filled, containers).map { $0.audioCodec?.lowercased() == "none" || $1?.holdsSound == false }
        let (holdPictures, holdSound) = (
            containers.contains { $0?.holdsPictures == true }, areSilent.contains(false)
        )
        return enumerated().map { index, request in
            var shared = request
            if holdPictures, containers[index]?.holdsPictures == false { shared = shared.withoutPicture }
            if holdSound, areSilent[index] { shared = shared.withoutSound }
            return fill(index, shared)
        }
    }
}
