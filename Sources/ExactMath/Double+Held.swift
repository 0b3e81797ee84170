extension Double {
    /// The number held within a range; NaN becomes the lower end, so that the result can always be made an integer.
    package func held(in range: ClosedRange<Double>) -> Double {
        self > range.lowerBound ? Swift.min(self, range.upperBound) : range.lowerBound
    }
}
