public import JSONText
public import Pictures

/// The key `shape` of a layer's contents.
public struct ShapeSettings: ProjectObject {
    /// The rule for the inside of a path that crosses itself.
    public enum FillRule: String, Codable, ProjectWord {
        /// Inside is where the path goes round once at least; where it is crossed an odd number of times.
        case nonZero = "non-zero", evenOdd = "even-odd"
    }
    /// The end of a line.
    public enum Cap: String, Codable, ProjectWord {
        /// At the end; half a width beyond it, round or square.
        case butt, round, square
    }
    /// The corner of a line.
    public enum Join: String, Codable, ProjectWord {
        /// Pointed; round; cut off.
        case miter, round, bevel
    }

    /// The path as SVG path data (M L H V C S Q T A Z and their small letters), at most 100000 segments.
    public var path: String?
    /// The rectangle; its outline begins at the top left and goes to the right.
    public var rect: Rect?
    /// The radius of the rectangle's corners; nil for 0.
    public var cornerRadius: Double?
    /// The rectangle of an ellipse; its outline begins at the right and goes downwards.
    public var ellipse: Rect?
    /// The corners of a closed polygon, each [x, y].
    public var polygon: [[Double]]?
    /// The colour of the filling; nil for opaque black, or none where there is a strokeColor.
    public var fillColor: Colour?
    /// The rule for the inside of a path that crosses itself; nil for `nonZero`.
    public var fillRule: FillRule?
    /// The colour of the stroke; nil for no stroke.
    public var strokeColor: Colour?
    /// The width of the stroke, half of it on each side of the path; nil for 1.
    public var lineWidth: Double?
    /// The lengths of lines and gaps in turn; nil for no gaps.
    public var lineDashPattern: [Double]?
    /// The place in the pattern where the path begins; nil for 0.
    public var lineDashPhase: Double?
    /// The ends of lines; nil for `butt`.
    public var lineCap: Cap?
    /// The corners of lines; nil for `miter`.
    public var lineJoin: Join?
    /// The widths beyond which a corner is cut off; nil for 10.
    public var miterLimit: Double?
    /// The place on the path's length where the stroke begins, 0…1; nil for 0.
    public var strokeStart: Double?
    /// The place on the path's length where the stroke ends, 0…1; nil for 1.
    public var strokeEnd: Double?
    /// The keys that this version does not know, kept and written back as they are.
    public var unknown: [String: JSONValue] = [:]

    package init() {}

    package static let typeName = "Shape"
    package static let summary = """
        A path that is filled and stroked: one of path, rect, ellipse and polygon. In the layer's units from the top \
        left of its bounds, y down, as SVG has it.
        """
    package static let fields: [Field<ShapeSettings>] = [
        Field("path", \.path, "SVG path data (M L H V C S Q T A Z and their small letters), at most 100000 segments."),
        Field("rect", \.rect, "[x, y, width, height]; its outline begins at the top left and goes to the right."),
        Field("cornerRadius", \.cornerRadius, default: .integer(0), "Of the rect."),
        Field("ellipse", \.ellipse, "Within [x, y, width, height]; its outline begins at the right, downwards."),
        Field("polygon", \.polygon, "Its corners, each [x, y]; closed."),
        Field("fillColor", \.fillColor, "Absent: opaque black, or none where there is a strokeColor."),
        Field("fillRule", \.fillRule, default: .string("non-zero"), "What is inside of a path that crosses itself."),
        Field("strokeColor", \.strokeColor, "Absent: no stroke."),
        Field("lineWidth", \.lineWidth, default: .integer(1), "Of the stroke, half of it on each side of the path."),
        Field("lineDashPattern", \.lineDashPattern, "Lengths of lines and gaps in turn; absent: no gaps."),
        Field("lineDashPhase", \.lineDashPhase, default: .integer(0), "How far into the pattern the path begins."),
        Field("lineCap", \.lineCap, default: .string("butt"), "The ends of lines."),
        Field("lineJoin", \.lineJoin, default: .string("miter"), "The corners of lines."),
        Field("miterLimit", \.miterLimit, default: .integer(10), "A corner longer than that many widths is cut off."),
        Field("strokeStart", \.strokeStart, default: .integer(0), "Where on the path's length the stroke begins, 0…1."),
        Field("strokeEnd", \.strokeEnd, default: .integer(1), "Where it ends."),
    ]
}
