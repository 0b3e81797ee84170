package import MediaFacts
package import Outputs
import Pictures
import SplitreelProject

/// The coded tracks of a project's assets, by asset and track.
package struct CodedTracks: Sendable {
    package struct Place: Hashable, Sendable {
        package var asset: String
        package var track: Int

        package init(asset: String, track: Int) { (self.asset, self.track) = (asset, track) }
    }

    package var byPlace: [Place: CodedTrack] = [:]

    package init() {}

    /// The tracks of which a film of these settings could hold packets, in the order of the assets' names. Only their
    /// coded tracks need to be read. `shown` are the assets of the project's enabled tracks; nested ones lie in these.
    package static func places(
        for output: OutputSettings, of assets: [String: AssetFacts], shown: [String]
    ) -> [Place] {
        guard let video = output.video, CopyTerms.codec(of: video) != nil else { return [] }
        let terms = CopyTerms(video: video, assets: assets, tracks: CodedTracks())
        func isShown(_ name: String) -> Bool {
            shown.contains { name == $0 || name.hasPrefix(nestedPrefix($0)) }
        }
        return assets.sorted { $0.key < $1.key }.filter { isShown($0.key) }.flatMap { name, facts in
            facts.tracks.map { Place(asset: name, track: $0.id) }.filter { terms.sourceFault($0) == nil }
        }
    }
}

/// Whether anything that an output asks for forbids that its film holds packets of its sources.
package func mayCopyPackets(_ request: OutputRequest, _ output: OutputSettings) throws -> Bool {
    try CopyTerms.refusal(of: request, output, isEven: true) == nil
}

/// The terms on which a film takes packets of its sources in place of frames that it encodes.
struct CopyTerms {
    let video: VideoSettings
    let assets: [String: AssetFacts]
    let tracks: CodedTracks

    private static let copiedCodecs: Set = ["h264", "hevc", "prores", "dnxhd", "mjpeg", "ffv1"]

    /// libavcodec's name of the codec whose packets such a film can hold; nil for a codec that is not copied.
    static func codec(of video: VideoSettings) -> String? {
        let name = video.codec.libavName
        return copiedCodecs.contains(name) ? name : nil
    }

    /// The reason why a film holds no packet of its sources, as a clause; nil where it may. It lies in what was asked
    /// for: a copy has the quality, the rate and the key frames that its source has.
    static func refusal(of request: OutputRequest, _ output: OutputSettings, isEven: Bool) throws -> String? {
        guard let video = output.video else { return "the output has no picture" }
        if request.rendering.passthrough == .never { return "copies are not wanted" }
        if request.rendering.chunkSeconds == "none" { return "the film is to be one chunk" }
        guard codec(of: video) != nil else { return "packets of \(video.codec.rawValue) are not copied" }
        guard output.container.holdsCopies, request.streamPath == nil, !request.isPassedOn else {
            return "a film of this form holds no copies"
        }
        let picture = try request.withPreset().picture
        if picture.crf != nil { return "a quality was asked for" }
        if picture.bitRate != nil || picture.maximumBitRate != nil { return "a bit rate was asked for" }
        if request.delivery.fileLengthLimit != nil { return "a length of the file was asked for" }
        if video.isTwoPass { return "the film has two passes" }
        if picture.profile != nil || picture.level != nil { return "a profile or a level was asked for" }
        if picture.tune != nil { return "a tune of the encoder was asked for" }
        if picture.keyFrameInterval != nil || picture.keyFramesAtCuts == true || request.timing.segmentInterval != nil {
            return "places of key frames were asked for"
        }
        if request.timing.posterTime != nil || request.timing.coverFrames != nil { return "the film has a cover" }
        if video.measuresLight == true { return "the light of its frames is measured" }
        if !isEven { return "its frames are not even" }
        return nil
    }

    /// Whether the encoder's own parameter sets can have a number that no source has, so that both stand in one film.
    var isNumbered: Bool { [.h264, .hevc].contains(video.codec) }

    /// Whether the encoder's packets and copies of equal settings stand in one film without any parameter sets.
    var needsNoSets: Bool { [.prores, .dnxhr, .mjpeg].contains(video.codec) }
}

extension Container {
    /// Whether films of the container are written with copies of sources' packets.
    var holdsCopies: Bool { [.mp4, .mov, .mkv].contains(self) }
}
