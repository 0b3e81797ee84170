import TestTools
import Testing

/// Real processes over real files, as a person starts them: tests to which it is nothing what runs beside them.
@Suite(.serialized, .enabled(if: Splitreel.find() != nil, "needs the built program: swift build -c release"))
enum EndToEnd {}

/// The tests beside which nothing else runs: they watch how long something takes and how much memory it has, kill what
/// is at work just then, or fill the machine.
@Suite(.serialized, .enabled(if: Splitreel.find() != nil, "needs the built program: swift build -c release"))
enum EndToEndAlone {}
