import Foundation
import TestTools
import Testing

/// Real processes over real files, one after the other: each render already uses every core.
@Suite(.serialized, .enabled(if: Splitreel.find() != nil, "needs the built program: swift build -c release"))
enum EndToEnd {}
