import Foundation
import Outputs
import SplitreelProject
import Testing

@Suite struct CodecTests {
    /// The names are what plans, job stores, compositions and documents hold: none may change.
    @Test func namesAreThoseOfFilesAndPlans() throws {
        let encoder = JSONEncoder()
        let pictures = try encoder.encode(PictureCodec.all)
        #expect(
            String(decoding: pictures, as: UTF8.self)
                == #"["h264","hevc","av1","vp9","prores","dnxhr","ffv1","mjpeg","mpeg2","gif","webp","png","tiff","#
                + #""exr","rawvideo"]"#)
        let sounds = try encoder.encode(SoundCodec.all)
        #expect(
            String(decoding: sounds, as: UTF8.self) == #"["aac","flac","pcm","opus","alac","mp3","vorbis"]"#)
        #expect(try JSONDecoder().decode([PictureCodec].self, from: pictures) == PictureCodec.all)
        #expect(try JSONDecoder().decode([SoundCodec].self, from: sounds) == SoundCodec.all)
    }

    @Test func anUnknownNameIsNoCodec() {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([SoundCodec].self, from: Data(#"["mp2"]"#.utf8))
        }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([PictureCodec].self, from: Data(#"["MP4"]"#.utf8))
        }
    }

    /// libavcodec's names, which only differ where this program says another word than libavcodec does.
    @Test func libavKnowsThemByTheseNames() {
        let pictures = PictureCodec.all.filter { $0.libavName != $0.rawValue }.map { [$0.rawValue, $0.libavName] }
        #expect(pictures == [["dnxhr", "dnxhd"], ["mpeg2", "mpeg2video"]])
        let sounds = SoundCodec.all.filter { $0.libavName != $0.rawValue }.map { [$0.rawValue, $0.libavName] }
        #expect(sounds == [["pcm", "pcm_s24le"]])
    }

    /// A place that two codecs took, or none, would leave a container's order, and its default, to chance.
    @Test(arguments: Container.allCases)
    func placesInAContainerAreCounted(container: Container) {
        let pictures = PictureCodec.all.compactMap { $0.places[container] }
        #expect(pictures.sorted() == Array(1..<pictures.count + 1))
        let sounds = SoundCodec.all.compactMap { $0.places[container] }
        #expect(sounds.sorted() == Array(1..<sounds.count + 1))
    }

    @Test func otherNamesMeanOneCodec() {
        let names = PictureCodec.all.flatMap(\.otherNames) + SoundCodec.all.flatMap(\.otherNames)
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { $0 == $0.lowercased() })
    }

    /// The schema's words name every codec that can be asked for.
    @Test func theSchemaNamesThem() throws {
        let pictures = try #require(PictureRequest.fields.first { $0.name == "codec" }?.summary)
        for codec in PictureCodec.ofFilms { #expect(pictures.contains(codec.rawValue)) }
        let sounds = try #require(SoundRequest.fields.first { $0.name == "codec" }?.summary)
        for codec in SoundCodec.all { #expect(sounds.contains(codec.rawValue)) }
    }

    /// Defaults that no encoder would take.
    @Test(arguments: PictureCodec.all)
    func defaultsAreOfTheirRanges(codec: PictureCodec) {
        #expect(!codec.formats.isEmpty)
        #expect(codec.presets.known.isEmpty || codec.presets.known.contains(codec.presets.fallback))
        if let qualities = codec.qualities { #expect(qualities.range.contains(qualities.fallback)) }
        for preset in codec.presets.known {
            #expect(codec.formats(ofPreset: preset).allSatisfy { codec.formats.contains($0) })
        }
        #expect(codec.isIntraOnly || codec.ofSegments == codec)
    }

    @Test(arguments: SoundCodec.all, [8_000, 44_100, 48_000])
    func usualBitRatesAreTaken(codec: SoundCodec, sampleRate: Int) {
        for channels in codec.channelCounts {
            let shape = SoundShape(sampleRate: sampleRate, channels: channels)
            guard let usual = codec.usualBitRate(shape) else { continue }
            #expect(codec.bitRate(near: usual, shape) == usual)
            #expect(!codec.isLossless)
        }
    }
}
