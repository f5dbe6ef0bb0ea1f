"""What processes use, as the system counts it."""
import contextlib
import os
import resource

TICKS, PAGE = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGESIZE")


def used(processes):
    """Returns the processor time in seconds and the resident memory in bytes; a process that has ended counts as nothing."""
    seconds = memory = 0
    for process in processes:
        with contextlib.suppress(OSError), open(f"/proc/{process}/stat") as file:
            # The second field, a name in parentheses, can contain spaces.
            fields = file.read().rpartition(")")[2].split()
            seconds += (int(fields[11]) + int(fields[12])) / TICKS
            memory += int(fields[21]) * PAGE
    return seconds, memory


def need_descriptors(connections):
    """Raises the limit of descriptors as far as the system allows, and fails if it does not suffice."""
    # Beside the connections: the standard ones, the loop, and the pipes of the consumers.
    needed = connections + 32
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < needed:
        raise SystemExit(f"{connections} connections need {needed} descriptors, but this process may have {hard}: "
                         "raise the limit (ulimit -Hn, LimitNOFILE= of a service) or simulate fewer devices")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(needed, resource.getrlimit(resource.RLIMIT_NOFILE)[0]), hard))
