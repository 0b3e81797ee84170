import SplitreelProject

/// Slats that open all at once: horizontal ones downwards, vertical ones to the right.
struct Blinds: TransitionKernel {
    func draw(_ transition: Transition) {
        let isVertical = transition.call.word("direction") == "vertical"
        let length = isVertical ? transition.width : transition.height
        let slat = Double(length) / max(1, transition.call.number("count").rounded())
        let open = slat * transition.progress
        // The open part of all that lies before a place.
        func sum(before place: Double) -> Double {
            let whole = (place / slat).rounded(.down)
            return whole * open + min(place - whole * slat, open)
        }
        let weights = (0..<length).map { place in
            Float(min(max(sum(before: Double(place) + 1) - sum(before: Double(place)), 0), 1))
        }
        transition.mix.mix(by: StraightMask(weights, rows: isVertical, changing: 0..<length))
    }
}
