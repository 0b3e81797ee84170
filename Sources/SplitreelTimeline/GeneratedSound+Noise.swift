import Pictures

extension GeneratedSound {
    /// A number from −1 to 1 that is the seed's, the channel's and the place's own.
    package static func noise(seed: Int, channel: Int, place: Int) -> Double {
        let key = splitMix64(UInt64(bitPattern: Int64(seed)) ^ UInt64(channel) << 56)
        return Double(splitMix64(key &+ UInt64(bitPattern: Int64(place))) >> 11) / 0x1p52 - 1
    }
}
