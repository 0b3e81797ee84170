public import JSONText
public import Pictures

/// The key `shape` of a layer's contents.
public struct ShapeSettings: ProjectObject {
    public enum FillRule: String, ProjectWord { case nonZero = "non-zero", evenOdd = "even-odd" }
    public enum Cap: String, ProjectWord { case butt, round, square }
    public enum Join: String, ProjectWord { case miter, round, bevel }

    public var path: String?
    public var rect: Rect?
    public var cornerRadius: Double?
    public var ellipse: Rect?
    public var polygon: [[Double]]?
    public var fillColor: Colour?
    public var fillRule: FillRule?
    public var strokeColor: Colour?
    public var lineWidth: Double?
    public var lineDashPattern: [Double]?
    public var lineDashPhase: Double?
    public var lineCap: Cap?
    public var lineJoin: Join?
    public var miterLimit: Double?
    public var strokeStart: Double?
    public var strokeEnd: Double?
    public var unknown: [String: JSONValue] = [:]

    public init() {}

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
