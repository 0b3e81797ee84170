/// A stable number for every way to fail; unknown numbers survive a round trip.
///
/// 1xxxx protocol, 2xxxx media and output, 3xxxx store, 4xxxx scheduling, 5xxxx composition, 6xxxx usage.
package struct ErrorCode: Hashable, Codable, Sendable {
    package let number: Int

    package init(_ number: Int) { self.number = number }

    package init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(Int.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
}

extension ErrorCode {
    package static let versionMismatch = ErrorCode(10001)
    package static let malformedMessage = ErrorCode(10002)
    package static let planMismatch = ErrorCode(10003)
    package static let coordinatorUnreachable = ErrorCode(10004)
    package static let refused = ErrorCode(10005)
    package static let transportFailed = ErrorCode(10006)

    package static let mediaCannotOpen = ErrorCode(20001)
    package static let mediaNotFound = ErrorCode(20002)
    package static let mediaHasNoSuchTrack = ErrorCode(20003)
    package static let decodeFailed = ErrorCode(20004)
    package static let frameMissing = ErrorCode(20005)
    package static let mediaUnsupported = ErrorCode(20006)
    package static let mediaChanged = ErrorCode(20007)
    package static let mediaOverLimits = ErrorCode(20008)
    package static let encoderUnavailable = ErrorCode(20101)
    package static let encodeFailed = ErrorCode(20102)
    package static let codecContainerMismatch = ErrorCode(20103)
    package static let outputExists = ErrorCode(20104)
    package static let outputNotWritable = ErrorCode(20105)
    package static let diskFull = ErrorCode(20106)
    package static let muxFailed = ErrorCode(20107)
    package static let segmentInvalid = ErrorCode(20108)
    package static let verificationFailed = ErrorCode(20109)
    package static let settingsImpossible = ErrorCode(20110)
    package static let outputInUse = ErrorCode(20111)
    package static let sourceDamaged = ErrorCode(20301)
    package static let framesSubstituted = ErrorCode(20302)
    package static let soundClipped = ErrorCode(20303)
    package static let sourceRemark = ErrorCode(20304)

    package static let storeFailed = ErrorCode(30001)

    package static let retriesExhausted = ErrorCode(40001)
    package static let chunkLostTooOften = ErrorCode(40002)
    package static let cancelled = ErrorCode(40003)
    package static let noProgress = ErrorCode(40004)
    package static let noSuchJob = ErrorCode(40005)
    package static let noWorkers = ErrorCode(40006)
    package static let internalFault = ErrorCode(40007)
    package static let tookTooLong = ErrorCode(40008)
    package static let workerDiffers = ErrorCode(40009)

    package static let compositionUnreadable = ErrorCode(50000)
    package static let compositionInvalid = ErrorCode(50001)
    package static let formatUnknown = ErrorCode(50002)
    package static let valueWrong = ErrorCode(50003)
    package static let keyMissing = ErrorCode(50004)
    package static let valueNotAllowed = ErrorCode(50005)
    package static let usedTwice = ErrorCode(50006)
    package static let nothingToRender = ErrorCode(50007)
    package static let segmentsDoNotTile = ErrorCode(50010)
    package static let segmentRangeInvalid = ErrorCode(50011)
    package static let assetUnknown = ErrorCode(50012)
    package static let sourceMissing = ErrorCode(50013)
    package static let sourceNotUsed = ErrorCode(50014)
    package static let sourceOutsideAsset = ErrorCode(50015)
    package static let trackNotInFile = ErrorCode(50016)
    package static let trackTypeDiffers = ErrorCode(50017)
    package static let assetIncomplete = ErrorCode(50018)
    package static let instructionsDoNotTile = ErrorCode(50020)
    package static let instructionRangeInvalid = ErrorCode(50021)
    package static let instructionsTooShort = ErrorCode(50022)
    package static let layerTrackUnknown = ErrorCode(50023)
    package static let layerTrackNotVideo = ErrorCode(50024)
    package static let keyInvalid = ErrorCode(50025)
    package static let keysOverlap = ErrorCode(50026)
    package static let opacityOutOfRange = ErrorCode(50027)
    package static let sizeInvalid = ErrorCode(50028)
    package static let frameDurationInvalid = ErrorCode(50029)
    package static let audioTrackUnknown = ErrorCode(50030)
    package static let audioTrackNotAudio = ErrorCode(50031)
    package static let audioInputTwice = ErrorCode(50032)
    package static let volumeOutOfRange = ErrorCode(50033)
    package static let rateOutOfRange = ErrorCode(50034)
    package static let sampleDataTrackInvalid = ErrorCode(50035)
    package static let outputInvalid = ErrorCode(50036)
    package static let notSupportedYet = ErrorCode(50090)
    package static let doubleFade = ErrorCode(50101)
    package static let lastInstructionOverruns = ErrorCode(50102)
    package static let rotatedUntransformed = ErrorCode(50103)
    package static let instructionWithoutLayers = ErrorCode(50104)
    package static let interlacedSource = ErrorCode(50105)
    package static let transferMixed = ErrorCode(50106)
    package static let trackNotWritten = ErrorCode(50107)
    package static let keyUnknown = ErrorCode(50108)
    package static let durationLooksLikeEnd = ErrorCode(50109)
    package static let keysOutsideInstruction = ErrorCode(50110)
    package static let cropOutsidePicture = ErrorCode(50111)
    package static let mixMayClip = ErrorCode(50112)
    package static let mixIsSilent = ErrorCode(50113)

    package static let usage = ErrorCode(60001)
    package static let settingsInvalid = ErrorCode(60002)
}
