/// The name by which a network knows this machine.
package enum MachineName {
    /// The name, as `hostname` prints it; empty where the system does not tell. The kernel's own word: nothing is asked
    /// of a resolver.
    package static var current: String {
        KernelFiles(root: "").text("/proc/sys/kernel/hostname").filter { !$0.isWhitespace }
    }
}
