package import Diagnostics
import Outputs

extension OutputRequest {
    /// The settings that ask something of the picture; a preset's are none, nor is the frame rate, which all outputs of
    /// a job share.
    package var pictureSettings: [Setting] {
        let asked: [(setting: Setting, isAsked: Bool)] = [
            (.videoCodec, videoCodec != nil), (.crf, crf != nil), (.videoBitRate, videoBitRate != nil),
            (.encoderPreset, preset != nil), (.maximumBitRate, maximumBitRate != nil),
            (.bufferSize, bufferSize != nil), (.constantBitRate, isConstantRate == true),
            (.twoPass, (passes ?? 1) != 1), (.profile, profile != nil), (.level, level != nil),
            (.tune, tune != nil), (.keyFrameInterval, keyFrameInterval != nil),
            (.keyFramesAtCuts, keyFramesAtCuts == true), (.pixelFormat, pixelFormat != nil),
            (.pixelAspect, pixelAspect != nil), (.size, size != nil),
        ]
        return asked.filter(\.isAsked).map(\.setting)
    }

    /// The settings that ask something of the sound. The wish for no sound at all is none of them.
    package var soundSettings: [Setting] {
        let asked: [(setting: Setting, isAsked: Bool)] = [
            (.audioCodec, audioCodec != nil && audioCodec?.lowercased() != "none"),
            (.audioBitRate, audioBitRate != nil), (.sampleRate, sampleRate != nil),
            (.channels, channels != nil), (.channelLayout, channelLayout != nil),
            (.audioTracks, audioTracks != nil),
        ]
        return asked.filter(\.isAsked).map(\.setting)
    }

    /// The request without the options of the picture.
    package var withoutPicture: OutputRequest {
        var request = self
        request.videoCodec = nil
        request.crf = nil
        request.videoBitRate = nil
        request.preset = nil
        request.maximumBitRate = nil
        request.bufferSize = nil
        request.isConstantRate = nil
        request.passes = nil
        request.profile = nil
        request.level = nil
        request.tune = nil
        (request.keyFrameInterval, request.keyFramesAtCuts) = (nil, nil)
        request.pixelFormat = nil
        request.size = nil
        request.pixelAspect = nil
        return request
    }

    /// The request without the options of the sound.
    package var withoutSound: OutputRequest {
        var request = self
        if audioCodec?.lowercased() != "none" { request.audioCodec = nil }
        (request.audioBitRate, request.sampleRate) = (nil, nil)
        request.channels = nil
        request.channelLayout = nil
        request.audioTracks = nil
        return request
    }
}

extension [OutputRequest] {
    /// The requests for the outputs of one command: options of all pictures are not asked of the sounds beside them,
    /// and options of all sounds not of films without sound. `fill` adds what each output says itself.
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
