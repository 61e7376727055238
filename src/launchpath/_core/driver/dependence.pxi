# Dependent launches: a kernel may start while the kernel before it ends, and waits for it at its entry.
#
# Which launches may be so is the same for all drivers that have them: a launch of a kernel that waits at its entry, right
# behind one, with nothing in between. What a queue holds last is known under its lock, from the driver's own calls. A
# kernel two places behind is ordered because the one between waits: it ends only after the one before it has.

cdef enum dependent_limit:     # why a device has none, or less: see `dependent_limits`
    DEPENDENT_ALL = 0
    DEPENDENT_NO_EDGES = 1     # its library has no edges of graphs that are dependent
    DEPENDENT_REFUSED = 2      # its library refused a launch: where several processes share it in a certain way

cdef const char *dependent_limits[3]
dependent_limits[:] = [
    b"", b"the driver library has no dependent edges of graphs", b"the driver library refused a dependent launch"]

cdef struct lp_dependence:     # of a queue
    # The last command was a plain launch of a kernel that waits, and nothing is behind it: no marker, copy, wait or
    # host function, no graph
    bint behind


cdef inline bint dependence_begin(lp_dependence *state, const driver_command *command, bint waits) noexcept nogil:
    """Before a command: whether it may start before what is before it has ended. Whatever then happens to the command,
    the next one may not, until `dependence_accept`."""
    cdef bint behind = state.behind
    state.behind = False
    return behind and waits and is_plain_launch(command)


cdef inline void dependence_accept(lp_dependence *state, const driver_command *command, bint waits) noexcept nogil:
    """The driver has accepted the command."""
    state.behind = waits and command.timing == NULL and command.kind == COMMAND_LAUNCH and (
        not command.config.flags & LAUNCH_COOPERATIVE)


cdef inline bint is_plain_launch(const driver_command *command) noexcept nogil:
    """A launch without anything around it: what it waits for, and events that time it, would be between."""
    return command.kind == COMMAND_LAUNCH and command.n_waits == 0 and command.timing == NULL and (
        not command.config.flags & LAUNCH_COOPERATIVE)
