/// How R'G'B' becomes Y'CbCr, in 8-bit codes of limited range around (16, 128, 128).
struct ColourMatrix: Equatable {
    /// Weights of red and blue in Y'.
    var red: Double
    var blue: Double

    static let bt601 = ColourMatrix(red: 0.299, blue: 0.114)
    static let bt709 = ColourMatrix(red: 0.2126, blue: 0.0722)
    static let bt2020 = ColourMatrix(red: 0.2627, blue: 0.0593)

    init(red: Double, blue: Double) { (self.red, self.blue) = (red, blue) }

    /// By ffprobe's name; nil where it names none.
    init?(tag: String) {
        switch tag {
        case "bt709": self = .bt709
        case "smpte170m", "bt470bg": self = .bt601
        case "bt2020nc": self = .bt2020
        default: return nil
        }
    }

    private var green: Double { 1 - red - blue }

    /// Rows Y', Cb, Cr; columns G, B, R in full-range codes.
    var fromGBR: [[Double]] {
        let (luma, chroma) = (219.0 / 255, 112.0 / 255)
        return [
            [green * luma, blue * luma, red * luma],
            [-green / (1 - blue) * chroma, chroma, -red / (1 - blue) * chroma],
            [-green / (1 - red) * chroma, -blue / (1 - red) * chroma, chroma],
        ]
    }

    /// Rows G, B, R in full-range codes; columns Y', Cb, Cr.
    private var toGBR: [[Double]] {
        let (luma, chroma) = (255.0 / 219, 255.0 / 112)
        return [
            [luma, -blue * (1 - blue) / green * chroma, -red * (1 - red) / green * chroma],
            [luma, (1 - blue) * chroma, 0],
            [luma, 0, (1 - red) * chroma],
        ]
    }

    /// Y'CbCr of that matrix to Y'CbCr of this one.
    func from(_ other: ColourMatrix) -> [[Double]] {
        if other == self { return [[1, 0, 0], [0, 1, 0], [0, 0, 1]] }
        let inner = other.toGBR
        return fromGBR.map { row in (0..<3).map { column in (0..<3).reduce(0) { $0 + row[$1] * inner[$1][column] } } }
    }
}
