/// The loudspeaker of each channel of a sound; raw values are libavutil's names. Channels are in the order of their
/// speakers' numbers.
public enum ChannelLayout: String, Codable, Sendable, CaseIterable {
    /// One channel, in the middle.
    case mono
    /// Left, right.
    case stereo
    /// Left, right, low frequencies.
    case twoOne = "2.1"
    /// Left, right, centre.
    case three = "3.0"
    /// Left, right, back centre.
    case threeBack = "3.0(back)"
    /// Left, right, centre, back centre.
    case four = "4.0"
    /// Left, right, back left, back right.
    case quad
    /// Left, right, side left, side right.
    case quadSide = "quad(side)"
    /// Left, right, centre, low frequencies.
    case threeOne = "3.1"
    /// Left, right, centre, back left, back right.
    case five = "5.0"
    /// Left, right, centre, side left, side right.
    case fiveSide = "5.0(side)"
    /// Left, right, centre, low frequencies, back centre.
    case fourOne = "4.1"
    /// Left, right, centre, low frequencies, back left, back right.
    case fiveOne = "5.1"
    /// Left, right, centre, low frequencies, side left, side right.
    case fiveOneSide = "5.1(side)"
    /// Left, right, centre, back centre, side left, side right.
    case six = "6.0"
    /// Left, right, left and right of the centre, side left, side right.
    case sixFront = "6.0(front)"
    /// Left, right, centre, back left, back right, back centre.
    case hexagonal
    /// Left, right, centre, low frequencies, back centre, side left, side right.
    case sixOne = "6.1"
    /// Left, right, centre, low frequencies, back left, back right, back centre.
    case sixOneBack = "6.1(back)"
    /// Left, right, low frequencies, left and right of the centre, side left, side right.
    case sixOneFront = "6.1(front)"
    /// Left, right, centre, back left, back right, side left, side right.
    case seven = "7.0"
    /// Left, right, centre, left and right of the centre, side left, side right.
    case sevenFront = "7.0(front)"
    /// Left, right, centre, low frequencies, back left, back right, side left, side right.
    case sevenOne = "7.1"
    /// Left, right, centre, low frequencies, back left, back right, left and right of the centre.
    case sevenOneWide = "7.1(wide)"
    /// Left, right, centre, low frequencies, left and right of the centre, side left, side right.
    case sevenOneWideSide = "7.1(wide-side)"
    /// Left, right, centre, back left, back right, back centre, side left, side right.
    case octagonal
    /// The sound field of the first order: W, Y, Z, X, in ACN's order by SN3D's norm. Its channels are no
    /// loudspeakers'.
    case firstOrder = "ambisonic 1"
    /// The sound field of the second order, of nine channels as in `firstOrder`.
    case secondOrder = "ambisonic 2"
    /// The sound field of the third order, of sixteen channels as in `firstOrder`.
    case thirdOrder = "ambisonic 3"

    /// The layouts of loudspeakers.
    package static let standard = allCases.filter { !$0.isField }
    /// The layouts of sound fields.
    package static let fields = allCases.filter(\.isField)

    /// Whether this is a sound field, whose channels are no loudspeakers'.
    public var isField: Bool { order != nil }

    /// The order of a sound field, from 1; nil for loudspeakers.
    package var order: Int? {
        switch self {
        case .firstOrder: 1
        case .secondOrder: 2
        case .thirdOrder: 3
        default: nil
        }
    }

    /// A loudspeaker; raw values are its bit in libavutil's masks.
    package enum Speaker: UInt64, Sendable {
        case frontLeft = 0x1
        case frontRight = 0x2
        case frontCentre = 0x4
        case lowFrequency = 0x8
        case backLeft = 0x10
        case backRight = 0x20
        case frontLeftOfCentre = 0x40
        case frontRightOfCentre = 0x80
        case backCentre = 0x100
        case sideLeft = 0x200
        case sideRight = 0x400

        /// Whether the speaker's channel weighs more in a loudness.
        package var isSurround: Bool {
            switch self {
            case .backLeft, .backRight, .backCentre, .sideLeft, .sideRight: true
            default: false
            }
        }
    }

    /// The loudspeakers in the channels' order; none for a sound field.
    package var speakers: [Speaker] {
        let front: [Speaker] = [.frontLeft, .frontRight]
        let (back, side): ([Speaker], [Speaker]) = ([.backLeft, .backRight], [.sideLeft, .sideRight])
        let inner: [Speaker] = [.frontLeftOfCentre, .frontRightOfCentre]
        let own: [Speaker] =
            switch self {
            case .mono: [.frontCentre]
            case .stereo: front
            case .twoOne: front + [.lowFrequency]
            case .three: front + [.frontCentre]
            case .threeBack: front + [.backCentre]
            case .four: front + [.frontCentre, .backCentre]
            case .quad: front + back
            case .quadSide: front + side
            case .threeOne: front + [.frontCentre, .lowFrequency]
            case .five: front + [.frontCentre] + back
            case .fiveSide: front + [.frontCentre] + side
            case .fourOne: front + [.frontCentre, .lowFrequency, .backCentre]
            case .fiveOne: front + [.frontCentre, .lowFrequency] + back
            case .fiveOneSide: front + [.frontCentre, .lowFrequency] + side
            case .six: front + [.frontCentre, .backCentre] + side
            case .sixFront: front + inner + side
            case .hexagonal: front + [.frontCentre, .backCentre] + back
            case .sixOne: front + [.frontCentre, .lowFrequency, .backCentre] + side
            case .sixOneBack: front + [.frontCentre, .lowFrequency, .backCentre] + back
            case .sixOneFront: front + [.lowFrequency] + inner + side
            case .seven: front + [.frontCentre] + back + side
            case .sevenFront: front + [.frontCentre] + inner + side
            case .sevenOne: front + [.frontCentre, .lowFrequency] + back + side
            case .sevenOneWide: front + [.frontCentre, .lowFrequency] + back + inner
            case .sevenOneWideSide: front + [.frontCentre, .lowFrequency] + inner + side
            case .octagonal: front + [.frontCentre, .backCentre] + back + side
            case .firstOrder, .secondOrder, .thirdOrder: []
            }
        return own.sorted { $0.rawValue < $1.rawValue }
    }

    /// The number of channels, from 1 to 16.
    public var channels: Int { order.map { ($0 + 1) * ($0 + 1) } ?? speakers.count }
    /// The mask that libavutil has for the speakers; 0 for a sound field.
    package var mask: UInt64 { speakers.reduce(0) { $0 | $1.rawValue } }

    /// The layout of so many channels where nothing is said, by libavutil's rule; nil for no channel and for more than
    /// eight.
    package static func usual(channels: Int) -> ChannelLayout? {
        let all: [ChannelLayout] = [.mono, .stereo, .twoOne, .four, .five, .fiveOne, .sixOne, .sevenOne]
        return all.indices.contains(channels - 1) ? all[channels - 1] : nil
    }
}
