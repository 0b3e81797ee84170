package import MediaTime
import Pictures
package import SplitreelProject

extension TextSettings {
    /// The text in a layer's bounds, all of it shown.
    ///
    /// - Parameters:
    ///   - fontAsset: the name that recipes have for the font among the project's assets that has this name; nil where
    ///     none has.
    package func drawing(
        width: Double, height: Double, fontAsset: (String) -> String? = { _ in nil }
    ) -> TextDrawing {
        func name(_ text: String) -> FontName { fontAsset(text).map { .asset($0) } ?? .named(text) }
        let read = markup == true ? try? TextMarkup(string) : nil
        var text = TextDrawing(string: read?.string ?? string, width: width, height: height)
        text.spans = (read?.runs ?? []).map { run in
            var style = run.style
            style.names = run.fonts?.map(name)
            return TextSpan(start: run.start, end: run.end, style: style)
        }
        text.font.names = (font?.names ?? []).map(name)
        text.font.size = size ?? text.font.size
        text.font.weight = weight?.number
        text.font.isItalic = italic ?? false
        text.font.variations = variations ?? [:]
        text.font.features = features ?? [:]
        text.colour = color ?? text.colour
        text.align = align ?? text.align
        text.verticalAlign = verticalAlign ?? text.verticalAlign
        text.tracking = tracking ?? 0
        text.leading = leading
        text.wrap = wrap ?? text.wrap
        text.truncation = truncation ?? text.truncation
        text.shrinksToFit = shrinkToFit ?? false
        text.direction = direction ?? text.direction
        text.language = language ?? ""
        text.outline = outline.map { TextOutline(width: $0.width, colour: $0.color ?? .black) }
        text.shadow = shadow.map { shadow in
            let offset = shadow.offset ?? NumberPair(0, 3)
            var colour = Colour.black
            colour.alpha = 0.5
            return TextShadow(x: offset.x, y: offset.y, blur: shadow.blur ?? 6, colour: shadow.color ?? colour)
        }
        text.background = background.map {
            TextBackground(
                colour: $0.color, padding: $0.padding?.sides ?? [0, 0, 0, 0], cornerRadius: $0.cornerRadius ?? 0)
        }
        return text
    }

    /// The part of the text that is there at a time on the layer's clock, in seconds; nil for all of it.
    package func reveal(at time: Rational) -> TextReveal? {
        guard let reveal, let duration = reveal.duration.exact else { return nil }
        let passed = time - (reveal.begin?.exact ?? .zero)
        guard passed < duration else { return nil }
        let share = passed <= .zero ? 0 : (passed / duration).double
        let progress = (reveal.easing ?? .linear).share(at: share)
        return TextReveal(
            unit: reveal.by ?? .glyph, style: reveal.style ?? .typewriter, progress: min(max(progress, 0), 1))
    }
}

extension ShapeSettings {
    /// The shape as it is drawn; nil where it has no path, or one that is wrong. It is read once, not with every frame.
    package func drawing() -> ShapeDrawing? {
        guard let path = try? drawingPath() else { return nil }
        var shape = ShapeDrawing(path: path)
        shape.fillColour = fillColor ?? (strokeColor == nil ? .black : nil)
        shape.fillRule = fillRule ?? shape.fillRule
        shape.strokeColour = strokeColor
        shape.lineWidth = lineWidth ?? shape.lineWidth
        shape.dashPattern = lineDashPattern ?? []
        shape.dashPhase = lineDashPhase ?? 0
        shape.cap = lineCap ?? shape.cap
        shape.join = lineJoin ?? shape.join
        shape.miterLimit = miterLimit ?? shape.miterLimit
        shape.strokeStart = strokeStart ?? 0
        shape.strokeEnd = strokeEnd ?? 1
        return shape
    }

    /// The path of `path`, `rect`, `ellipse` or `polygon`; nil where none is said.
    package func drawingPath() throws(DrawingFault) -> DrawingPath? {
        if let path { return try DrawingPath(svg: path) }
        if let rect { return .rectangle(rect, cornerRadius: cornerRadius ?? 0) }
        if let ellipse { return .ellipse(ellipse) }
        guard let polygon else { return nil }
        let corners = polygon.compactMap { $0.count == 2 ? DrawingPoint($0[0], $0[1]) : nil }
        guard corners.count == polygon.count, let first = corners.first else {
            throw DrawingFault(offset: 0, reason: "a polygon's corners are two numbers [x, y] each")
        }
        return DrawingPath([.move(first)] + corners.dropFirst().map { .line($0) } + [.close])
    }
}

/// A fault in a path or in markup.
package struct DrawingFault: Error, Hashable {
    /// The fault's place in bytes of its text, from 0.
    package var offset: Int
    package var reason: String
}
