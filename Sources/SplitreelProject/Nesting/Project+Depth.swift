extension Project {
    /// The depth of the nested compositions in this one, 0 for none, and their number.
    package var nesting: (depth: Int, count: Int) {
        assets.values.compactMap(\.keys.project).reduce(into: (0, 0)) { sum, inner in
            let nesting = inner.nesting
            sum = (max(sum.0, nesting.depth + 1), sum.1 + nesting.count + 1)
        }
    }
}
