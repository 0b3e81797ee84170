import Authoring
import MediaTime
import Testing

/// Pieces as people write them behind a file's name.
@Suite("Pieces of clips") struct ClipPieceTests {
    @Test(
        arguments: [
            ("2s-5s", .range(from: 2, to: 5)), ("2s-", .range(from: 2, to: nil)), ("-5s", .range(from: nil, to: 5)),
            ("0s-0.04s", .range(from: 0, to: Rational(1, 25))), ("4s", .length(4)), ("75/30", .length(Rational(5, 2))),
            ("00:01:00-00:01:02.5", .range(from: 60, to: Rational(125, 2))),
        ] as [(String, ClipPiece.Extent)]) func isRead(text: String, extent: ClipPiece.Extent) throws
    {
        let piece = try ClipPiece(text)
        #expect(piece.extent == extent && piece.text == text)
    }

    @Test(
        arguments: [
            ("2-5", "‘2s’"), ("2s-5", "‘5s’"), ("1:30-", "‘00:01:30’"), ("5s-2s", "before it begins"),
            ("2s-2s", "before it begins"), ("0s", "longer than 0 s"), ("-", "neither"), ("2s--5s", "‘-5s’ is no time"),
            ("home.mp4", "no time"), ("0s-inf", "no time"), ("2s-5s-7s", "no time"), ("", "longer than 0 s"),
        ]) func mistakesAreTold(text: String, word: String)
    {
        let fault = #expect(throws: ClipPiece.Fault.self) { try ClipPiece(text) }
        #expect(fault?.reason.contains(word) == true, "\(fault?.reason ?? "")")
    }

    @Test func theLastSignDivides() {
        #expect(ClipPiece.parts(of: "me@home.mp4@2s-5s")?.file == "me@home.mp4")
        #expect(ClipPiece.parts(of: "me@home.mp4@2s-5s")?.piece == "2s-5s")
        #expect(ClipPiece.parts(of: "a.mp4") == nil && ClipPiece.parts(of: "@2s") == nil)
    }
}
