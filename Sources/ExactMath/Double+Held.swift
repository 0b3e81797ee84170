extension Double {
    /// Brought into a range; what is no number is its lower end, so that the result can always be made an integer.
    package func held(in range: ClosedRange<Double>) -> Double {
        self > range.lowerBound ? Swift.min(self, range.upperBound) : range.lowerBound
    }
}
