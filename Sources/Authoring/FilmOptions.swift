import Diagnostics
public import MediaTime
public import Pictures
public import SplitreelProject

/// The settings of a film that is made of clips, beside the clips: see `FilmBuilder`.
public struct FilmOptions: Sendable {
    /// The time for which neighbours overlap and dissolve, in whole frames; 0 for none.
    public var dissolve: MediaTime {
        get { overlap.mediaTime }
        set { overlap = max(.zero, newValue.exact ?? .zero) }
    }
    /// The time for which the film comes out of black and silence, and goes back into them; 0 for none.
    public var fadeDuration: MediaTime {
        get { fade.mediaTime }
        set { fade = max(.zero, newValue.exact ?? .zero) }
    }
    /// The transition of neighbours in place of a dissolve; nil for a dissolve.
    public var transition: RegisteredChoice?
    /// The sound that plays under the film; nil for none.
    public var music: Clip?
    /// Whether the music begins again where it ends.
    public var loopsMusic = false
    /// Whether the music is lowered while the clips' own sound is loud.
    public var ducksMusic = false
    /// The way in which clips of another shape than the film's stand in it.
    public var fit = Layer.Fit.contain
    /// The film's size in pixels; nil for the largest clip's. Pictures have a say only where no clip moves.
    public var size: PixelSize?
    /// The duration of a frame; nil for that of the fastest clip.
    public var frameDuration: MediaTime?
    /// The titles that lie over the film, and before and after the clips.
    public var titles = FilmTitles()
    /// Whether pictures cover the canvas and move.
    public var movesStills = false
    /// The seconds for which neighbours dissolve.
    package var overlap = Rational.zero
    /// The seconds of each fade.
    package var fade = Rational.zero

    public init() {}

    /// Throws for a size and for a frame's duration that no film has.
    func check() throws {
        if let frameDuration, !frameDuration.isNumeric || frameDuration <= .zero {
            throw Self.impossible(.frameDurationInvalid, "a frame of \(frameDuration) s", "give one above 0")
        }
        if let size, size.width < 1 || size.height < 1 {
            throw Self.impossible(.sizeInvalid, "\(size.width)×\(size.height) pixels", "give 1 or more of each")
        }
    }

    private static func impossible(_ code: ErrorCode, _ subject: String, _ hint: String) -> SplitreelError {
        SplitreelError(code, operation: "laying out clips", subject: subject, reason: "no film has it", hint: hint)
    }
}
