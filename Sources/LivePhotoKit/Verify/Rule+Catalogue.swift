extension Rule {
    /// The catalogue: every rule, in the order in which a person wants to read of them.
    public static let all = photoRules + movieRules + stillTimeRules + pairRules + folderRules
}
