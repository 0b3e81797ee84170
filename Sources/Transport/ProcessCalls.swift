import CZeroMQ
package import Glibc

// Calls about processes that Swift cannot make by itself; the shim of this module has them.

/// Asks the kernel to send `signal` to this process when the thread that started it ends, which is no later than its
/// process does. A parent that is dead already is not noticed.
package func requestSignalOnParentDeath(_ signal: Int32) {
    _ = splitreel_set_parent_death_signal(signal)
}

/// Hides this process's memory, in which keys stand: no other process of this user reads or traces it, and the system
/// writes no core file of it. Its files below /proc are the administrator's from then on. A program that it starts is
/// not hidden.
package func hideThisProcess() {
    _ = splitreel_hide_process()
}

/// Lets a spawned child have no descriptor from `first` on, whatever its parent has open without close-on-exec.
package func closeDescriptors(from first: Int32, in actions: inout posix_spawn_file_actions_t) {
    _ = unsafe splitreel_spawn_close_from(&actions, first)
}
