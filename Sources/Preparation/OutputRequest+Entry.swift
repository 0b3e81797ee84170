package import Composition
import MediaTime
package import Planning

extension OutputRequest {
    /// What the command line did not say is taken from the file's own output.
    package func filled(from entry: OutputEntry) -> OutputRequest {
        var request = self
        request.fileType = fileType ?? entry.fileType
        request.videoCodec = videoCodec ?? entry.videoSettings?.codec
        request.crf = crf ?? entry.videoSettings?.crf
        request.videoBitRate = videoBitRate ?? (crf == nil ? entry.videoSettings?.bitRate : nil)
        request.preset = preset ?? entry.videoSettings?.encoderPreset
        request.pixelFormat = pixelFormat ?? entry.videoSettings?.pixelFormat
        request.pixelAspect = pixelAspect ?? entry.videoSettings?.pixelAspect
        request.audioCodec = audioCodec ?? entry.audioSettings?.codec
        request.audioBitRate = audioBitRate ?? entry.audioSettings?.bitRate
        request.sampleRate = sampleRate ?? entry.audioSettings?.sampleRate
        request.channels = channels ?? entry.audioSettings?.channels
        if rangeStart == nil, let range = entry.range {
            request.rangeStart = range.start.description
            request.rangeDuration = range.duration.description
        }
        return request
    }
}
