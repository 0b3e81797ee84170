/// sin 2πx for x from 0 to 1, within 10⁻¹³, by the series of sine and cosine in an eighth of a turn.
package func sine(ofCycles x: Double) -> Double {
    let quarter = (x * 4).rounded()
    let angle = (x * 4 - quarter) * (Double.pi / 2)
    let square = angle * angle
    func series(_ divisors: [Double]) -> Double { divisors.reversed().reduce(1) { 1 - square / $1 * $0 } }
    let sine = angle * series([6, 20, 42, 72, 110, 156, 210])
    let cosine = series([2, 12, 30, 56, 90, 132, 182])
    switch Int(quarter) & 3 {
    case 0: return sine
    case 1: return cosine
    case 2: return -sine
    default: return -cosine
    }
}
