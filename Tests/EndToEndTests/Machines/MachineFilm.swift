import Foundation
import TestTools

/// A film of 1.6 s that has all that may have to travel: H.264, HEVC in a nested composition and beside it, ProRes with
/// alpha, a variable rate, a sound file, a table of colours and a font.
struct MachineFilm {
    static let frames = 40
    static let options = ["--chunk-seconds", "0.4", "--encoder-preset", "ultrafast"]
    private static let font = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
    private static let corpus = [
        "h264.mp4": "video/ax_sample.mp4", "hevc.mp4": "video/ax_h265_bframes.mp4",
        "alpha.mov": "derived/o_prores4444_alpha_kdenlive.mov", "vfr.mp4": "video/mp_count-video.mp4",
        "sound.flac": "audio/ax_bear.flac",
    ]
    /// Red and blue change places.
    private static let table = [
        "LUT_3D_SIZE 2", "0 0 0", "0 0 1", "0 1 0", "0 1 1", "1 0 0", "1 0 1", "1 1 0", "1 1 1", "",
    ].joined(separator: "\n")

    /// Puts its files into a folder that is there.
    static func writeMedia(to folder: String) throws {
        for (name, source) in corpus {
            guard let path = SourceTree.corpusFile(source) else { throw ToolFailure("\(source) is not in the corpus") }
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            try bytes.write(to: URL(fileURLWithPath: folder + "/" + name))
        }
        let own = try Data(contentsOf: URL(fileURLWithPath: font))
        try own.write(to: URL(fileURLWithPath: folder + "/own.ttf"))
        try Data(table.utf8).write(to: URL(fileURLWithPath: folder + "/look.cube"))
    }

    /// The bytes of its files; each is less than a block, and comes to a worker whole.
    static func size(in folder: String) throws -> Int {
        let names = corpus.keys.filter { !$0.hasSuffix(".flac") } + ["own.ttf", "look.cube"]
        return try names.reduce(0) { sum, name in
            let facts = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)
            return sum + (facts[.size] as? Int ?? 0)
        }
    }

    /// The composition, whose files lie in `media`.
    static func composition(media: String) -> String {
        """
        {"format": "splitreel/1",
         "assets": {"h264": {"url": "\(media)/h264.mp4"}, "hevc": {"url": "\(media)/hevc.mp4"},
          "alpha": {"url": "\(media)/alpha.mov"}, "vfr": {"url": "\(media)/vfr.mp4"},
          "nested": {"kind": "composition", "project": \(nested(media: media))},
          "sound": {"url": "\(media)/sound.flac"},
          "look": {"kind": "lut", "url": "\(media)/look.cube"}, "own": {"kind": "font", "url": "\(media)/own.ttf"}},
         "composition": {"tracks": [
          {"id": 1, "type": "video", "segments": [
           {"asset": "h264", "source": ["0s", "0.4s"], "target": ["0s", "0.4s"]},
           {"asset": "hevc", "source": ["0s", "0.4s"], "target": ["0.4s", "0.4s"]},
           {"asset": "vfr", "source": ["3s", "0.4s"], "target": ["0.8s", "0.4s"]},
           {"asset": "nested", "source": ["0s", "0.4s"], "target": ["1.2s", "0.4s"]}]},
          {"id": 2, "type": "video", "segments": [
           {"target": ["0s", "0.4s"]}, {"asset": "alpha", "source": ["0s", "0.8s"], "target": ["0.4s", "0.8s"]}]},
          {"id": 3, "type": "audio", "segments": [
           {"asset": "sound", "source": ["0s", "1.6s"], "target": ["0s", "1.6s"]}]}]},
         "video": {"renderSize": [320, 180], "frameDuration": "1/25",
          "instructions": [
           {"range": ["0s", "0.4s"], "layers": [{"track": 1, "fit": "cover"}]},
           {"range": ["0.4s", "0.8s"], "layers": [{"track": 2, "fit": "contain"}, {"track": 1, "fit": "cover"}]},
           {"range": ["1.2s", "0.4s"], "layers": [{"track": 1, "fit": "cover"}]}],
          "effects": [{"id": "lut", "params": {"lut": "look"}}],
          "animation": {"videoLayers": ["film"], "root": {"bounds": [0, 0, 320, 180], "sublayers": [
           {"id": "film", "bounds": [0, 0, 320, 180], "position": [160, 90]},
           {"bounds": [0, 0, 320, 40], "position": [160, 20],
            "contents": {"text": {"string": "five machines", "font": "own", "size": 24}}}]}}}}
        """
    }

    private static func nested(media: String) -> String {
        """
        {"format": "splitreel/1", "assets": {"h": {"url": "\(media)/hevc.mp4"}},
           "composition": {"tracks": [{"id": 1, "type": "video", "segments": [
            {"asset": "h", "source": ["0.5s", "0.4s"], "target": ["0s", "0.4s"]}]}]},
           "video": {"renderSize": [160, 90], "frameDuration": "1/25", "fit": "cover"}}
        """
    }
}
