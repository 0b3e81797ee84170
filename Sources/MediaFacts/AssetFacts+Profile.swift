extension AssetFacts {
    /// How a warning of a profile begins that does not count where a composition says what samples stand for.
    package static let profileRemark = "its ICC profile is not used:"
}
