import Diagnostics
import Outputs
import SplitreelProject

extension WaveformOutput {
    /// The waveform of a request. Throws where the request's name or its buckets are not a waveform's.
    init(_ request: OutputRequest) throws {
        guard let kind = WaveformKind(path: request.path) else {
            throw impossible(
                request.path, "a waveform is written as .json or .dat",
                hint: "name it so; `splitreel waveform` makes pictures, too")
        }
        let samples = request.delivery.samplesPerBucket ?? Self.usualBucket
        guard Self.buckets.contains(samples) else {
            throw impossible("\(.samplesPerBucket, samples)", "it is 1 to 2³⁰", hint: "say 256, the default")
        }
        self.init(kind: kind, samplesPerBucket: samples)
    }
}
