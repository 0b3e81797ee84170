package import MediaFacts
import MediaTime

extension VideoFacts {
    /// Takes the rate of the film from which it was made, where there is such a rate.
    package mutating func showFilm() {
        let nominal = nominalFrameRate?.exact
        let isFields = nominal == Rational(30_000, 1001) || nominal == Rational(30)
        guard let rate = isFields ? nominal.map({ ($0 * Rational(4, 5)).mediaTime }) : filmRate else { return }
        nominalFrameRate = rate
        filmRate = rate
        isVariableFrameRate = false
    }

    package mutating func takeRate(of other: VideoFacts?) {
        guard let other else { return }
        (nominalFrameRate, filmRate) = (other.nominalFrameRate, other.filmRate)
        isVariableFrameRate = other.isVariableFrameRate
    }
}
