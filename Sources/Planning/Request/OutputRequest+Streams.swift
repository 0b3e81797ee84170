package import Diagnostics
import Outputs
import SplitreelProject

extension OutputRequest {
    /// The settings that ask something of the picture; a preset's are none, nor is the frame rate, which all outputs of
    /// a job share.
    package var pictureSettings: [Setting] {
        let picture = picture
        let asked: [(setting: Setting, isAsked: Bool)] = [
            (.videoCodec, picture.codec != nil), (.crf, picture.crf != nil), (.videoBitRate, picture.bitRate != nil),
            (.encoderPreset, picture.encoderPreset != nil), (.maximumBitRate, picture.maximumBitRate != nil),
            (.bufferSize, picture.bufferSize != nil), (.constantBitRate, picture.constantBitRate == true),
            (.twoPass, (picture.passes ?? 1) != 1), (.profile, picture.profile != nil), (.level, picture.level != nil),
            (.tune, picture.tune != nil), (.keyFrameInterval, picture.keyFrameInterval != nil),
            (.keyFramesAtCuts, picture.keyFramesAtCuts == true), (.pixelFormat, picture.pixelFormat != nil),
            (.pixelAspect, picture.pixelAspect != nil), (.size, canvas.size != nil),
        ]
        return asked.filter(\.isAsked).map(\.setting)
    }

    /// The settings that ask something of the sound. The wish for no sound at all is none of them.
    package var soundSettings: [Setting] {
        let asked: [(setting: Setting, isAsked: Bool)] = [
            (.audioCodec, sound.codec != nil && !sound.isNone), (.audioBitRate, sound.bitRate != nil),
            (.sampleRate, sound.sampleRate != nil), (.channels, sound.channels != nil),
            (.channelLayout, sound.channelLayout != nil), (.audioTracks, soundTracks != nil),
        ]
        return asked.filter(\.isAsked).map(\.setting)
    }

    /// The request without the options of the picture.
    package var withoutPicture: OutputRequest {
        var request = self
        request.picture = picture.withoutEncoding
        request.canvas.size = nil
        return request
    }

    /// The request without the options of the sound.
    package var withoutSound: OutputRequest {
        var request = self
        request.sound = sound.withoutEncoding
        if sound.isNone { request.sound.codec = sound.codec }
        request.soundTracks = nil
        return request
    }
}

extension [OutputRequest] {
    /// The requests for the outputs of one command: options of all pictures are not asked of the sounds beside them,
    /// and options of all sounds not of films without sound. `fill` adds what each output says itself.
    package func sharedOut(fill: (_ index: Int, _ request: OutputRequest) -> OutputRequest) -> [OutputRequest] {
        let filled = enumerated().map(fill)
        let containers = filled.map { try? Container(of: $0) }
        let areSilent = zip(filled, containers).map { $0.sound.isNone || $1?.holdsSound == false }
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
