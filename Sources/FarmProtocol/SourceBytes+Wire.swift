package import Scheduling

extension Splitreel_Farm_Finished {
    /// The bytes of sources that came from afar, as another process tells them.
    package var sources: SourceBytes {
        get {
            SourceBytes(
                needed: Int(clamping: bytesNeeded), fetched: Int(clamping: bytesFetched),
                soundNeeded: Int(clamping: soundBytesNeeded), soundFetched: Int(clamping: soundBytesFetched))
        }
        set {
            bytesNeeded = UInt64(clamping: newValue.needed)
            bytesFetched = UInt64(clamping: newValue.fetched)
            soundBytesNeeded = UInt64(clamping: newValue.soundNeeded)
            soundBytesFetched = UInt64(clamping: newValue.soundFetched)
        }
    }
}

extension Splitreel_Farm_JobReport {
    /// The bytes of sources that came from afar for the job, as another process tells them.
    package var sources: SourceBytes {
        get {
            SourceBytes(
                needed: Int(clamping: bytesNeeded), fetched: Int(clamping: bytesFetched),
                soundNeeded: Int(clamping: soundBytesNeeded), soundFetched: Int(clamping: soundBytesFetched))
        }
        set {
            bytesNeeded = UInt64(clamping: newValue.needed)
            bytesFetched = UInt64(clamping: newValue.fetched)
            soundBytesNeeded = UInt64(clamping: newValue.soundNeeded)
            soundBytesFetched = UInt64(clamping: newValue.soundFetched)
        }
    }
}
