import MediaTime

/// A length that a person asked for, in seconds, and the whole frames of the film that it becomes.
struct FramedLength {
    /// The seconds as they were asked for; 0 for none.
    let asked: Rational
    /// The seconds of the nearest number of frames, at least one; 0 for none.
    let framed: Rational

    init(_ asked: Rational, frame: Rational) {
        self.asked = asked
        framed = asked > .zero ? Rational(max(1, (asked / frame).rounded())) * frame : .zero
    }

    private init(asked: Rational, framed: Rational) {
        self.asked = asked
        self.framed = framed
    }

    static func + (first: FramedLength, second: FramedLength) -> FramedLength {
        FramedLength(asked: first.asked + second.asked, framed: first.framed + second.framed)
    }

    /// The seconds for people: as they were asked for where `available` has less than that, else those of the frames,
    /// which alone are more.
    func words(beyond available: Rational) -> String {
        available < asked ? "\(asked.shortSeconds) s" : "\(framed.shortSeconds) s in whole frames"
    }
}
