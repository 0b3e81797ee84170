internal import CFFmpeg
internal import Libav
internal import Pictures

extension Frame {
    /// The same picture with one sample for each square of `factor` by `factor` samples; see `reduceByArea`. Planar
    /// Y'CbCr(A) only. Its chroma lies where `PixelEncoding.reducedByArea` says, which libav has no tag for.
    borrowing func reducedByArea(_ factor: Int, subject: String) throws -> Frame {
        let result = try Frame()
        try result.allocate(
            pixelFormat, width: Int32((width + factor - 1) / factor), height: Int32((height + factor - 1) / factor),
            alignment: 64, subject: subject)
        try result.copyProperties(of: self, subject: subject)
        reduceByArea(imageOfKeptFrame(), by: factor, into: result.imageOfKeptFrame())
        return result
    }
}
