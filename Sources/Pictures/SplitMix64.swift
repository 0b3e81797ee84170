/// SplitMix64's word after `value`, as its paper has it. Random values follow from a seed and a place alone, on any
/// machine alike.
package func splitMix64(_ value: UInt64) -> UInt64 {
    var word = value &+ 0x9E37_79B9_7F4A_7C15
    word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
}
