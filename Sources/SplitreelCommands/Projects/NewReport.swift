import Authoring
import JSONText
import MediaTime
import Pictures

/// The document of `new --json`; length, size and rate as `probe --json` tells them of the file.
struct NewReport: Encodable {
    var path: String
    var clips: Int
    /// The film's length in exact seconds, such as `751/250`.
    var duration: String
    var seconds: Double
    /// The film's width and height in pixels.
    var size: [Int]
    /// The frames a second, such as `30000/1001`.
    var rate: String
    var remarks: [String]
    var problems: [Problem]

    init(_ builder: FilmBuilder, path: String, clips: Int, remarks: [String], problems: [Problem]) {
        self.path = path
        self.clips = clips
        duration = builder.end.mediaTime.description
        seconds = builder.end.double
        size = [builder.size.width, builder.size.height]
        rate = (Rational(1) / Rational(builder.frameDuration)).mediaTime.description
        self.remarks = remarks
        self.problems = problems
    }
}
