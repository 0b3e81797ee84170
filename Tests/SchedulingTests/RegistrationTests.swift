import Diagnostics
import Scheduling
import Testing

/// A slot's connection is part of what the brain decides: what happens to an old one cannot touch the new one.
@Suite struct RegistrationTests {
    @Test func theWelcomeGoesToTheConnectionThatRegistered() {
        var farm = Farm()
        farm.register("a", peer: 1)
        farm.register("a", peer: 2)
        let welcomes = farm.log.compactMap { if case .welcome("a", let peer) = $0 { peer } else { nil } }
        #expect(welcomes == [Peer([1]), Peer([2])])
    }

    @Test func theLossOfAnOldConnectionDoesNotLoseTheSlot() {
        var farm = Farm()
        farm.submit(costs: [1])
        farm.register("a", peer: 1)
        farm.register("a", holding: farm.lease(of: "a"), peer: 2)
        farm.send(.slotLost(slot: "a", peer: Peer([1]), reason: "its connection is gone"))
        #expect(farm.brain.slots["a"]?.spec.peer == Peer([2]))
        #expect(farm.lease(of: "a") != nil)
        farm.send(.slotLost(slot: "a", peer: Peer([2]), reason: "its connection is gone"))
        #expect(farm.brain.slots.isEmpty)
    }

    @Test func aSlotThatComesWithinTheTurnOfItsLossIsForgottenFirstAndWelcomedThen() {
        var farm = Farm()
        farm.register("a", peer: 1)
        farm.send(.slotLost(slot: "a", reason: "silent"))
        farm.register("a", peer: 2)
        let order = farm.log.compactMap { action -> String? in
            switch action {
            case .forget(slot: "a", _): "forget"
            case .welcome("a", let peer): "welcome \(peer.bytes)"
            default: nil
            }
        }
        #expect(order == ["welcome [1]", "forget", "welcome [2]"])
    }

    @Test func oneTooManyIsRefusedWhereItCameFrom() {
        var farm = Farm { $0.slots = 1 }
        farm.register("a", peer: 1)
        farm.register("b", peer: 2)
        let refusals = farm.log.compactMap { if case .refuse(let peer, "b", _) = $0 { peer } else { nil } }
        #expect(refusals == [Peer([2])])
    }
}
