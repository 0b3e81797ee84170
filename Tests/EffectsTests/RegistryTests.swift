import Effects
import SplitreelProject
import Testing

@Suite struct RegistryTests {
    @Test func everyDescriptionHasAKernel() {
        for description in EffectRegistry.builtIn
        where description.kind != .compositor && description.kind != .tap && !description.isFilter {
            #expect(
                EffectKernels.kernel(id: description.id, version: description.version) != nil,
                "\(description.id) is described and cannot be made")
        }
    }

    @Test func idsAreUsedOnce() {
        let ids = EffectRegistry.builtIn.map { "\($0.id) \($0.version)" }
        #expect(Set(ids).count == ids.count)
    }
}
