import Diagnostics
import Drawings
import JSONText
import MediaTime
import Pictures
import SplitreelProject

extension Validator {
    /// Checks a text among a layer's contents.
    mutating func checkText(_ text: TextSettings, _ path: String) {
        if text.string.utf8.count > TextSettings.mostBytes || text.string.utf8.contains(0) {
            error(
                .valueNotAllowed, path + ".string",
                "a text has at most \(TextSettings.mostBytes) bytes, and no zero character")
        } else if text.markup == true {
            do {
                let read = try TextMarkup(text.string)
                checkFonts(read.runs.flatMap { $0.fonts ?? [] }, path + ".string")
            } catch {
                let fault = error
                self.error(
                    .valueNotAllowed, path + ".string", "byte \(fault.offset) of the markup: \(fault.reason)",
                    hint: "without `markup` the string is shown as it is")
            }
        }
        checkFonts(text.font?.names ?? [], path + ".font")
        checkNumber(text.size, 0.1...4096, path + ".size")
        checkNumber(text.weight.map { Double($0.number) }, 1...1000, path + ".weight")
        checkNumber(text.tracking, -4096...4096, path + ".tracking")
        checkNumber(text.leading, 0...16384, path + ".leading")
        checkTags(text, path)
        if let outline = text.outline { checkNumber(outline.width, 0...256, path + ".outline.width") }
        if let shadow = text.shadow {
            for offset in [shadow.offset?.x, shadow.offset?.y] {
                checkNumber(offset, -4096...4096, path + ".shadow.offset")
            }
            checkNumber(shadow.blur, 0...256, path + ".shadow.blur")
        }
        if let background = text.background {
            for side in background.padding?.sides ?? [] {
                checkNumber(side, -4096...4096, path + ".background.padding")
            }
            checkNumber(background.cornerRadius, 0...16384, path + ".background.cornerRadius")
        }
        if let reveal = text.reveal { checkReveal(reveal, path + ".reveal") }
    }

    private mutating func checkReveal(_ reveal: RevealSettings, _ path: String) {
        if reveal.duration.exact.map({ $0 < .zero }) ?? true {
            error(.valueNotAllowed, path + ".duration", "`\(reveal.duration)` is not a length of time")
        }
        if let begin = reveal.begin, begin.exact == nil {
            error(.valueNotAllowed, path + ".begin", "`\(begin)` is not a time")
        }
    }

    private mutating func checkTags(_ text: TextSettings, _ path: String) {
        func isTag(_ tag: String) -> Bool {
            tag.utf8.count == 4 && tag.utf8.allSatisfy { (48...57).contains($0) || (65...90).contains($0 & 0xDF) }
        }
        let (axes, features) = (text.variations ?? [:], text.features ?? [:])
        for (key, tags) in [("variations", Array(axes.keys)), ("features", Array(features.keys))] {
            if tags.count > 32 { error(.valueNotAllowed, "\(path).\(key)", "more than 32 tags") }
            for tag in tags.sorted() where !isTag(tag) {
                error(.valueNotAllowed, "\(path).\(key)", "`\(tag.prefix(60))` is not a tag of four letters and digits")
            }
        }
        for (_, value) in axes.sorted(by: { $0.key < $1.key }) {
            checkNumber(value, -100_000...100_000, path + ".variations")
        }
        for (_, value) in features.sorted(by: { $0.key < $1.key }) {
            checkNumber(Double(value), 0...65535, path + ".features")
        }
        if let language = text.language,
            !(1...64).contains(language.utf8.count)
                || !language.utf8.allSatisfy({ $0 == 45 || (48...57).contains($0) || (65...90).contains($0 & 0xDF) })
        {
            error(.valueNotAllowed, path + ".language", "`\(language.prefix(60))` is not a language tag")
        }
    }

    private mutating func checkFonts(_ names: [String], _ path: String) {
        if names.count > 16 { error(.valueNotAllowed, path, "\(names.count) fonts, where 16 are enough") }
        for name in names.prefix(16)
        where !(1...256).contains(name.utf8.count) || name.utf8.contains(where: { $0 < 32 }) {
            error(.valueNotAllowed, path, "`\(name.prefix(60))` is not a font's name")
        }
    }

    /// Checks a shape among a layer's contents.
    mutating func checkShape(_ shape: ShapeSettings, _ path: String) {
        let outlines = [shape.path != nil, shape.rect != nil, shape.ellipse != nil, shape.polygon != nil]
        if outlines.filter({ $0 }).count != 1 {
            error(
                .valueNotAllowed, path, "a shape has one of path, rect, ellipse and polygon",
                hint: "\"rect\": [0, 0, 100, 50], or \"path\": \"M0 0 L100 50\"")
        }
        do {
            _ = try shape.drawingPath()
        } catch {
            let fault = error
            self.error(.valueNotAllowed, path + (shape.path == nil ? ".polygon" : ".path"), fault.text)
        }
        let corners = shape.polygon?.flatMap { $0 } ?? []
        let sides = [shape.rect, shape.ellipse].compactMap { $0 }.flatMap { [$0.x, $0.y, $0.width, $0.height] }
        if !(corners + sides).allSatisfy({ abs($0) <= 1_000_000 }) {
            error(.valueNotAllowed, path, "a shape's numbers go from -1000000 to 1000000")
        }
        checkNumber(shape.cornerRadius, 0...16384, path + ".cornerRadius")
        checkNumber(shape.lineWidth, 0...16384, path + ".lineWidth")
        checkNumber(shape.lineDashPhase, -1_000_000...1_000_000, path + ".lineDashPhase")
        checkNumber(shape.miterLimit, 1...1000, path + ".miterLimit")
        checkNumber(shape.strokeStart, 0...1, path + ".strokeStart")
        checkNumber(shape.strokeEnd, 0...1, path + ".strokeEnd")
        if let dashes = shape.lineDashPattern, !dashes.isEmpty {
            let isSound =
                dashes.count <= 64 && dashes.allSatisfy { (0...16384).contains($0) } && dashes.contains { $0 > 0 }
            if !isSound {
                error(
                    .valueNotAllowed, path + ".lineDashPattern",
                    "at most 64 lengths from 0 to 16384, and not all of them 0")
            }
        }
    }

    private mutating func checkNumber(_ number: Double?, _ range: ClosedRange<Double>, _ path: String) {
        guard let number, !range.contains(number) else { return }
        error(
            .valueNotAllowed, path,
            "\(number.json.text) is not from \(range.lowerBound.json.text) to \(range.upperBound.json.text)")
    }
}

extension DrawingFault {
    fileprivate var text: String { "at byte \(offset): \(reason)" }
}

extension JSONValue {
    /// The value as JSON.
    var text: String { String(decoding: canonicalBytes(), as: UTF8.self) }
}
