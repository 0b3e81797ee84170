package import MediaTime
package import Outputs

/// The parameter sets that an encoder of these settings makes before any frame: those of each chunk of a film whose
/// frames are even; `rate` is a chunk's part of a limited rate. nil of SVT-AV1, which takes as much memory as its
/// frames do and is not opened without any.
package func parameterSets(
    of settings: VideoSettings, frameDuration: MediaTime, rate: RateLimit?
) throws -> [UInt8]? {
    guard settings.codec.ofSegments.encoderName != "libsvtav1" else { return nil }
    return try VideoEncoder(settings: settings, frameDuration: frameDuration, rate: rate).extradata
}
