import Scheduling
import Testing

@Suite("Connections of slots")
struct SlotPeersTests {
    private let old = Peer([1])
    private let new = Peer([2])

    @Test("Nothing of an earlier connection touches the one that asks to follow it")
    func follows() {
        var peers = SlotPeers()
        peers.register(old, as: "s")
        #expect(peers.slot(of: old) == "s" && peers.peer(of: "s") == nil)
        peers.welcome("s", old)
        peers.register(new, as: "s")
        #expect(peers.peer(of: "s") == old)
        // In one turn: the old one is given up, the new one is welcomed.
        peers.forget("s")
        #expect(peers.slot(of: old) == nil && peers.slot(of: new) == "s" && peers.peer(of: "s") == nil)
        peers.welcome("s", new)
        #expect(peers.peer(of: "s") == new && peers.slot(of: new) == "s")
    }

    @Test("A connection that is followed by another speaks for nobody")
    func replaced() {
        var peers = SlotPeers()
        peers.welcome("s", old)
        peers.welcome("s", new)
        #expect(peers.slot(of: old) == nil && peers.peer(of: "s") == new)
        peers.welcome("t", old)
        peers.forget("s")
        #expect(peers.slot(of: new) == nil && peers.peer(of: "t") == old)
    }

    @Test("Who is refused is nobody, unless it was the slot's already")
    func refused() {
        var peers = SlotPeers()
        peers.register(new, as: "s")
        peers.refuse("s", new)
        #expect(peers.slot(of: new) == nil)
        peers.welcome("s", old)
        peers.refuse("s", old)
        #expect(peers.peer(of: "s") == old && peers.slot(of: old) == "s")
    }

    @Test("A connection that is another one's now speaks for nobody, and hears nothing")
    func forgotten() {
        var peers = SlotPeers()
        peers.welcome("s", old)
        peers.register(new, as: "s")
        peers.forget(new)
        #expect(peers.slot(of: new) == nil && peers.peer(of: "s") == old)
        peers.forget(old)
        #expect(peers.slot(of: old) == nil && peers.peer(of: "s") == nil)
        peers.forget(old)
        peers.welcome("s", new)
        #expect(peers.peer(of: "s") == new)
    }
}
