import Drawings
import Foundation
import Overlays
import Pictures
import SplitreelProject
import TestTools
import Testing

/// The font of one box with its axis said to be the weight: from 50 to 200, regular at 100, the box 0.4 em wide there.
@Suite("Weights of a variable font") struct VariableWeightTests {
    /// `wdth` stands in the font once, as its axis's tag.
    private static func font(in folder: TestFolder) throws -> String {
        var bytes = VariableFont.bytes
        let tag = Array("wdth".utf8)
        let place = try #require(bytes.indices.dropLast(3).first { Array(bytes[$0..<($0 + 4)]) == tag })
        bytes.replaceSubrange(place..<(place + 4), with: Array("wght".utf8))
        return try folder.write(Data(bytes), to: "weight.ttf")
    }

    /// Linear between 100 (0.4 em) and 200 (0.8 em), which is held above; Fontconfig knows no weight below 100.
    @Test(arguments: [(1, 40), (100, 40), (125, 50), (150, 60), (175, 70), (200, 80), (201, 80), (400, 80), (1000, 80)])
    func aWeightIsItsAxis(weight: Int, width: Int) throws {
        let folder = try TestFolder("weight")
        let fonts = try FontCollection(systemWithAssets: ["box": try Self.font(in: folder)])
        var text = TextDrawing(string: "A", width: 760, height: 160)
        (text.font.names, text.font.size, text.align, text.font.weight) = ([.asset("box")], 100, .left, weight)
        let picture = try DrawnPicture(
            DrawingPicture(.text(text), size: PixelSize(width: 800, height: 200), originX: -20, originY: -20),
            fonts: fonts)
        #expect(abs(picture.coverage - Double(width * 70)) < 8, "\(weight): \(picture.coverage)")
    }
}
