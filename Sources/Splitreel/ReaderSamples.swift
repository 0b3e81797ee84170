extension Reader {
    /// Some samples of the sound that is read.
    public struct Samples: Sendable {
        /// The index of the first sample, from 0 on: its time is that divided by the sample rate.
        public let firstSample: Int
        /// The samples of each channel, 1 to 4096 of each; full scale is −1 to 1, values beyond are kept.
        public let channels: [[Float]]
        /// The number of samples of each channel.
        public var count: Int { channels.first?.count ?? 0 }

        package init(firstSample: Int, channels: [[Float]]) {
            (self.firstSample, self.channels) = (firstSample, channels)
        }

        /// The samples with those of all channels by turns.
        public var interleaved: [Float] {
            guard channels.count > 1 else { return channels.first ?? [] }
            var all = [Float](repeating: 0, count: count * channels.count)
            for (place, channel) in channels.enumerated() {
                for (index, sample) in channel.enumerated() { all[index * channels.count + place] = sample }
            }
            return all
        }

        /// The samples of each channel as whole numbers of the type's range: full scale is the type's largest and
        /// smallest number. Rounded to the nearest, and held at both ends; what is no number is 0.
        public func integers<Integer: FixedWidthInteger & SignedInteger>(_ type: Integer.Type = Int16.self)
            -> [[Integer]]
        {
            channels.map { $0.map { Self.integer($0) } }
        }

        /// The samples as whole numbers, those of all channels by turns.
        public func interleavedIntegers<Integer: FixedWidthInteger & SignedInteger>(
            _ type: Integer.Type = Int16.self
        ) -> [Integer] {
            interleaved.map { Self.integer($0) }
        }

        private static func integer<Integer: FixedWidthInteger>(_ sample: Float) -> Integer {
            let scaled = (Double(sample) * -Double(Integer.min)).rounded()
            guard !scaled.isNaN else { return 0 }
            return scaled >= Double(Integer.max) ? .max : scaled <= Double(Integer.min) ? .min : Integer(scaled)
        }
    }
}
