import Foundation
import Libav
import MediaReading
import MediaTime
import TestTools
import Testing

@Suite("Alpha of VP8 and VP9") struct AlphaLayerTests {
    /// The colour changes its scene in the middle, the alpha does not: the container's key frame is not the alpha's.
    @Test(arguments: ["libvpx", "libvpx-vp9"])
    func soughtFramesHaveTheAlphaOfDecodedOnes(_ encoder: String) throws {
        let folder = try TestFolder("alpha")
        let path = folder.file("alpha.webm")
        try Witness(in: folder).ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=1", "-f", "lavfi", "-i", "mandelbrot=s=160x120:r=25",
            "-f", "lavfi", "-i", "gradients=s=160x120:r=25:d=2:speed=0.02:seed=7", "-filter_complex",
            "[1]trim=duration=1[m];[0][m]concat[c];[2]format=gray[a];[c][a]alphamerge", "-t", "2", "-c:v", encoder,
            "-pix_fmt", "yuva420p", "-auto-alt-ref", "0", "-g", "100", "-deadline", "good", "-cpu-used", "4",
            "-lag-in-frames", "16", "-b:v", "500k", "-threads",
            "1", path,
        ])
        var sums: [UInt32] = []
        var times: [Rational] = []
        _ = try decodeAll(path: path, track: 1) { frame, time in
            sums.append(frame.withImage(checksum))
            times.append(time)
        }
        #expect(sums.count == 50)
        for place in stride(from: 20, to: times.count, by: 3) {
            let reader = try VideoReader(path: path, track: 1)
            let sought = try reader.withFrame(at: times[place]) { frame, _ in frame.withImage(checksum) }
            #expect(sought == sums[place], "frame \(place)")
        }
    }
}
