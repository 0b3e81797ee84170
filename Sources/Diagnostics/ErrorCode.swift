/// A stable number for every way to fail; unknown numbers survive a round trip.
///
/// 1xxxx protocol, 2xxxx media and output, 3xxxx store, 4xxxx scheduling, 5xxxx composition, 6xxxx usage.
public struct ErrorCode: Hashable, Codable, Sendable {
    /// The number, such as 20001; of five digits in all codes of this release.
    public let number: Int

    /// Makes the code of a number, also of one that only other releases know.
    public init(_ number: Int) { self.number = number }

    /// Reads a whole number.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(Int.self))
    }

    /// Writes the number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
}

extension ErrorCode: CustomStringConvertible {
    /// The number's digits.
    public var description: String { String(number) }
}

extension ErrorCode {
    /// The code of the error `versions differ`.
    public static let versionMismatch = ErrorCode(10001)
    /// The code of the error `message not understood`.
    public static let malformedMessage = ErrorCode(10002)
    /// The code of the error `plan differs`.
    public static let planMismatch = ErrorCode(10003)
    /// The code of the error `coordinator not reachable`.
    public static let coordinatorUnreachable = ErrorCode(10004)
    /// The code of the error `refused`.
    public static let refused = ErrorCode(10005)
    /// The code of the error `network operation failed`.
    public static let transportFailed = ErrorCode(10006)
    /// The code of the error `key not known`.
    public static let keyRefused = ErrorCode(10020)
    /// The code of the error `role does not allow it`.
    public static let roleRefused = ErrorCode(10021)
    /// The code of the error `keys at one end only`.
    public static let tokenNeeded = ErrorCode(10022)
    /// The code of the error `token or key file unusable`.
    public static let keyFileUnusable = ErrorCode(10023)
    /// The code of the error `a farm without keys`.
    public static let keysNeeded = ErrorCode(10024)

    /// The code of the error `cannot open media`.
    public static let mediaCannotOpen = ErrorCode(20001)
    /// The code of the error `media not found`.
    public static let mediaNotFound = ErrorCode(20002)
    /// The code of the error `no such track in media`.
    public static let mediaHasNoSuchTrack = ErrorCode(20003)
    /// The code of the error `cannot decode media`.
    public static let decodeFailed = ErrorCode(20004)
    /// The code of the error `frame missing in media`.
    public static let frameMissing = ErrorCode(20005)
    /// The code of the error `media not supported`.
    public static let mediaUnsupported = ErrorCode(20006)
    /// The code of the error `media changed since planning`.
    public static let mediaChanged = ErrorCode(20007)
    /// The code of the error `media over the limits`.
    public static let mediaOverLimits = ErrorCode(20008)
    /// The code of the error `media not delivered`.
    public static let mediaNotDelivered = ErrorCode(20009)
    /// The code of the error `encoder not available`.
    public static let encoderUnavailable = ErrorCode(20101)
    /// The code of the error `cannot encode`.
    public static let encodeFailed = ErrorCode(20102)
    /// The code of the error `codec does not fit the container`.
    public static let codecContainerMismatch = ErrorCode(20103)
    /// The code of the error `output exists`.
    public static let outputExists = ErrorCode(20104)
    /// The code of the error `output cannot be written`.
    public static let outputNotWritable = ErrorCode(20105)
    /// The code of the error `disk full`.
    public static let diskFull = ErrorCode(20106)
    /// The code of the error `cannot write the film`.
    public static let muxFailed = ErrorCode(20107)
    /// The code of the error `segment not valid`.
    public static let segmentInvalid = ErrorCode(20108)
    /// The code of the error `verification failed`.
    public static let verificationFailed = ErrorCode(20109)
    /// The code of the error `settings cannot be`.
    public static let settingsImpossible = ErrorCode(20110)
    /// The code of the error `output is being made already`.
    public static let outputInUse = ErrorCode(20111)
    /// The code of the error `compositor failed`.
    public static let compositorFailed = ErrorCode(20112)
    /// The code of the error `tap failed`.
    public static let tapFailed = ErrorCode(20113)
    /// The code of the error `segments missing`.
    public static let segmentsMissing = ErrorCode(20114)
    /// The code of the error `effect failed`.
    public static let effectFailed = ErrorCode(20115)
    /// The code of the error `frames cannot be copied`.
    public static let copyImpossible = ErrorCode(20116)
    /// The code of the warning `damaged media`.
    public static let sourceDamaged = ErrorCode(20301)
    /// The code of the warning `frames substituted`.
    public static let framesSubstituted = ErrorCode(20302)
    /// The code of the warning `sound clipped`.
    public static let soundClipped = ErrorCode(20303)
    /// The code of the warning `media remark`.
    public static let sourceRemark = ErrorCode(20304)
    /// The code of the warning `loudness missed`.
    public static let loudnessMissed = ErrorCode(20305)
    /// The code of the warning `loudness`.
    public static let loudnessMeasured = ErrorCode(20306)
    /// The code of the warning `bit rate missed`.
    public static let rateMissed = ErrorCode(20307)
    /// The code of the warning `little memory`.
    public static let memoryShort = ErrorCode(20308)

    /// The code of the error `job store failed`.
    public static let storeFailed = ErrorCode(30001)
    /// The code of the error `no room for uploads`.
    public static let uploadsFull = ErrorCode(30002)

    /// The code of the error `chunk failed too often`.
    public static let retriesExhausted = ErrorCode(40001)
    /// The code of the error `chunk kills its workers`.
    public static let chunkLostTooOften = ErrorCode(40002)
    /// The code of the error `cancelled`.
    public static let cancelled = ErrorCode(40003)
    /// The code of the error `no progress`.
    public static let noProgress = ErrorCode(40004)
    /// The code of the error `no such job`.
    public static let noSuchJob = ErrorCode(40005)
    /// The code of the error `no workers`.
    public static let noWorkers = ErrorCode(40006)
    /// The code of the error `internal fault`.
    public static let internalFault = ErrorCode(40007)
    /// The code of the error `took too long`.
    public static let tookTooLong = ErrorCode(40008)
    /// The code of the error `worker differs`.
    public static let workerDiffers = ErrorCode(40009)
    /// The code of the error `out of memory`.
    public static let outOfMemory = ErrorCode(40010)
    /// The code of the error `a limit of the system is reached`.
    public static let systemLimit = ErrorCode(40011)
    /// The code of the error `no film waits`.
    public static let noSuchFilm = ErrorCode(40012)
    /// The code of the error `workers disagree`.
    public static let auditDisagrees = ErrorCode(40013)

    /// The code of the error `composition cannot be read`.
    public static let compositionUnreadable = ErrorCode(50000)
    /// The code of the error `composition not valid`.
    public static let compositionInvalid = ErrorCode(50001)
    /// The code of the error `format not known`.
    public static let formatUnknown = ErrorCode(50002)
    /// The code of the error `value of the wrong kind`.
    public static let valueWrong = ErrorCode(50003)
    /// The code of the error `key missing`.
    public static let keyMissing = ErrorCode(50004)
    /// The code of the error `value not allowed`.
    public static let valueNotAllowed = ErrorCode(50005)
    /// The code of the error `used twice`.
    public static let usedTwice = ErrorCode(50006)
    /// The code of the error `nothing to render`.
    public static let nothingToRender = ErrorCode(50007)
    /// The code of the error `segments leave a gap or overlap`.
    public static let segmentsDoNotTile = ErrorCode(50010)
    /// The code of the error `segment's range not valid`.
    public static let segmentRangeInvalid = ErrorCode(50011)
    /// The code of the error `no such asset`.
    public static let assetUnknown = ErrorCode(50012)
    /// The code of the error `source missing`.
    public static let sourceMissing = ErrorCode(50013)
    /// The code of the error `source of what has no time`.
    public static let sourceNotUsed = ErrorCode(50014)
    /// The code of the error `source outside the asset`.
    public static let sourceOutsideAsset = ErrorCode(50015)
    /// The code of the error `no such track in the file`.
    public static let trackNotInFile = ErrorCode(50016)
    /// The code of the error `track of another type`.
    public static let trackTypeDiffers = ErrorCode(50017)
    /// The code of the error `asset incomplete`.
    public static let assetIncomplete = ErrorCode(50018)
    /// The code of the error `instructions leave a gap or overlap`.
    public static let instructionsDoNotTile = ErrorCode(50020)
    /// The code of the error `instruction's range not valid`.
    public static let instructionRangeInvalid = ErrorCode(50021)
    /// The code of the error `instructions do not cover the composition`.
    public static let instructionsTooShort = ErrorCode(50022)
    /// The code of the error `layer of no track`.
    public static let layerTrackUnknown = ErrorCode(50023)
    /// The code of the error `layer of a track without pictures`.
    public static let layerTrackNotVideo = ErrorCode(50024)
    /// The code of the error `key not valid`.
    public static let keyInvalid = ErrorCode(50025)
    /// The code of the error `keys overlap`.
    public static let keysOverlap = ErrorCode(50026)
    /// The code of the error `opacity out of range`.
    public static let opacityOutOfRange = ErrorCode(50027)
    /// The code of the error `size not valid`.
    public static let sizeInvalid = ErrorCode(50028)
    /// The code of the error `frame duration not valid`.
    public static let frameDurationInvalid = ErrorCode(50029)
    /// The code of the error `audio input of no track`.
    public static let audioTrackUnknown = ErrorCode(50030)
    /// The code of the error `audio input of a track without sound`.
    public static let audioTrackNotAudio = ErrorCode(50031)
    /// The code of the error `two audio inputs for one track`.
    public static let audioInputTwice = ErrorCode(50032)
    /// The code of the error `volume out of range`.
    public static let volumeOutOfRange = ErrorCode(50033)
    /// The code of the error `rate out of range`.
    public static let rateOutOfRange = ErrorCode(50034)
    /// The code of the error `sample-data track not valid`.
    public static let sampleDataTrackInvalid = ErrorCode(50035)
    /// The code of the error `output not valid`.
    public static let outputInvalid = ErrorCode(50036)
    /// The code of the error `nesting not possible`.
    public static let nestingImpossible = ErrorCode(50037)
    /// The code of the error `effect not known`.
    public static let effectUnknown = ErrorCode(50038)
    /// The code of the error `parameter not allowed`.
    public static let parameterWrong = ErrorCode(50039)
    /// The code of the error `not supported yet`.
    public static let notSupportedYet = ErrorCode(50090)
    /// The code of the warning `both layers of a dissolve fade`.
    public static let doubleFade = ErrorCode(50101)
    /// The code of the warning `last instruction overruns`.
    public static let lastInstructionOverruns = ErrorCode(50102)
    /// The code of the warning `rotated source without a transform`.
    public static let rotatedUntransformed = ErrorCode(50103)
    /// The code of the warning `instruction without layers`.
    public static let instructionWithoutLayers = ErrorCode(50104)
    /// The code of the warning `interlaced source`.
    public static let interlacedSource = ErrorCode(50105)
    /// The code of the warning `not written to the film`.
    public static let trackNotWritten = ErrorCode(50107)
    /// The code of the warning `unknown key`.
    public static let keyUnknown = ErrorCode(50108)
    /// The code of the warning `duration looks like an end`.
    public static let durationLooksLikeEnd = ErrorCode(50109)
    /// The code of the warning `keys outside their instruction`.
    public static let keysOutsideInstruction = ErrorCode(50110)
    /// The code of the warning `crop outside the picture`.
    public static let cropOutsidePicture = ErrorCode(50111)
    /// The code of the warning `mix may clip`.
    public static let mixMayClip = ErrorCode(50112)
    /// The code of the warning `mix is silent`.
    public static let mixIsSilent = ErrorCode(50113)
    /// The code of the warning `matte not used`.
    public static let matteNotUsed = ErrorCode(50114)
    /// The code of the warning `layers not drawn`.
    public static let layersNotDrawn = ErrorCode(50115)
    /// The code of the warning `text without a cue`.
    public static let textWithoutCue = ErrorCode(50116)
    /// The code of the warning `layers are fitted`.
    public static let layersAreFitted = ErrorCode(50117)
    /// The code of the warning `picture leaves the canvas or does not cover it`.
    public static let pictureOffCanvas = ErrorCode(50118)
    /// The code of the warning `subtitles lie over a text`.
    public static let subtitlesOverText = ErrorCode(50119)

    /// The code of the error `option or argument not usable`.
    public static let usage = ErrorCode(60001)
    /// The code of the error `settings not valid`.
    public static let settingsInvalid = ErrorCode(60002)
}
