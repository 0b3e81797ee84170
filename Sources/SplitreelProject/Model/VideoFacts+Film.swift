package import MediaFacts
import MediaTime

extension VideoFacts {
    /// From now on it has the rate of the film that it was made of, where there is such a rate.
    package mutating func showFilm() {
        let nominal = nominalFrameRate?.exact
        let isFields = nominal == Rational(30_000, 1001) || nominal == Rational(30)
        guard let rate = isFields ? nominal.map({ ($0 * Rational(4, 5)).mediaTime }) : filmRate else { return }
        (nominalFrameRate, filmRate, isVariableFrameRate) = (rate, rate, false)
    }

    package mutating func takeRate(of other: VideoFacts?) {
        guard let other else { return }
        (nominalFrameRate, filmRate) = (other.nominalFrameRate, other.filmRate)
        isVariableFrameRate = other.isVariableFrameRate
    }
}
