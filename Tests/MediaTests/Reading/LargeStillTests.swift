import Compositing
import Foundation
import Libav
import MediaReading
import MediaTime
import Pictures
import TestTools
import Testing

@Suite struct LargeStillTests {
    private func bytes(_ reader: VideoReader, _ matrix: ColourMatrix) throws -> Data? {
        try reader.withFrame(at: .zero, matrixForRGB: matrix) { frame, _ in
            frame.withImage { image in
                var data = Data()
                for plane in [image.luma, image.cb, image.cr] + (image.alpha.map { [$0] } ?? []) {
                    for y in 0..<plane.height {
                        data.append(Data(bytes: plane.base + y * plane.stride, count: plane.width * 2))
                    }
                }
                return data
            }
        }
    }

    /// A still's decoded samples are lost while they are converted, those of a film are not: both are the same picture.
    @Test(arguments: ["rgba64be", "rgb48be"]) func whatIsSpentIsNotMissed(format: String) throws {
        let folder = try TestFolder("large-still")
        let (still, film) = (folder.file("still.png"), folder.file("film.mkv"))
        let pattern = "testsrc2=s=1200x801:r=25,format=rgba,colorchannelmixer=aa=0.6:ra=0.1"
        for (path, count) in [(still, "1"), (film, "2")] {
            _ = try Witness(in: folder).ffmpeg([
                "-f", "lavfi", "-i", pattern, "-frames:v", count, "-c:v", "png", "-pix_fmt", format, path,
            ])
        }
        let (fromStill, fromFilm) = (try VideoReader(path: still, track: 1), try VideoReader(path: film, track: 1))
        // A second matrix needs what was spent: it is decoded again.
        for matrix in [ColourMatrix.bt709, .bt709, .bt601, .bt709] {
            let wanted = try #require(try bytes(fromFilm, matrix))
            #expect(wanted.count == 1200 * 801 * 2 * (format == "rgb48be" ? 3 : 4))
            #expect(try bytes(fromStill, matrix) == wanted, "\(matrix)")
        }
    }
}
