extension AssetFacts {
    /// The first words of a warning of a profile that does not count where a composition says what samples stand for.
    package static let profileRemark = "its ICC profile is not used:"
}
