import Splitreel
import SplitreelCLI

// What compositions may name; then the whole of `splitreel`: render, coordinator, worker and the others. A worker of a
// farm is this very program, started with `worker --connect …`.
register(compositor: { SplitScreen() }, description: SplitScreen.description)
register(effect: Negative(), description: Negative.description)
register(tap: { Tremolo($0) }, description: Tremolo.description)
await SplitreelCLI.main()
