extension Project {
    /// How deep nested compositions stand in this one, and how many there are.
    package var nesting: (depth: Int, count: Int) {
        assets.values.compactMap(\.project).reduce(into: (0, 0)) { sum, inner in
            let nesting = inner.nesting
            sum = (max(sum.0, nesting.depth + 1), sum.1 + nesting.count + 1)
        }
    }
}
