import SplitreelProject

/// One picture fades into the other.
struct Dissolve: TransitionKernel {
    func draw(_ transition: Transition) { transition.mix.evenly(transition.progress) }
}

/// One picture fades to a colour, and the other from it, each for half of the time.
struct DipToColour: TransitionKernel {
    func draw(_ transition: Transition) {
        let colour = transition.memory.picture(
            "dip", of: transition.call.numbers("color"), like: transition.output)
        if transition.progress < 0.5 {
            transition.mixOnto(transition.from, colour).evenly(2 * transition.progress)
        } else {
            transition.mixOnto(colour, transition.to).evenly(2 * transition.progress - 1)
        }
    }
}
