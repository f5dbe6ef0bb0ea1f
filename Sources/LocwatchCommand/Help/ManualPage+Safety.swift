extension ManualPage {
    /// Appends what confines the programs that parse receivers' bytes.
    static func safety(_ page: inout Roff) {
        page.section("SAFETY")
        page.text(
            "The bytes of raw logs, compressed files, serial receivers and streams are parsed by programs written in C: gpsdecode, "
                + "gzip, xz, zstd and a private gpsd. The kernel confines each of them before it starts, with Landlock, seccomp and "
                + "resource limits, for which no right is needed:")
        page.terms(safety)
        page.paragraph()
        page.text(
            "locwatch confines itself too, in each session of a gpsd, a file or a fleet without a hook, a plot and a target at a path: it "
                + "reads that file and those that its options name, and writes in the folders of its output, queue and metrics (monitor in "
                + "the current one, for its keys w and p). A session of a file opens no connection, except for publish and web. No session "
                + "changes the mode, the owner or the time of a file, reaches another process, or opens a socket of this machine, except "
                + "to look up a name that ends with .local. Only a compressed file, the log of a receiver, a pipe and --follow permit to start "
                + "programs, which inherit all of that. --verbose says what is left.")
        page.paragraph()
        page.text(
            "The system calls that a session may make are listed. If a library needs another one, locwatch goes on without it, and says "
                + "the number once on standard error.")
        page.paragraph()
        page.text(
            "'locwatch version -v' and 'locwatch doctor' say which parts this machine has: files need Linux 5.13 with Landlock, "
                + "TCP ports 6.7, device commands 6.10, signals 6.12, and system calls x86_64 or aarch64. What is missing is left "
                + "out. A gpsd, gpsdecode, gzip, xz or zstd that is a script cannot be confined and does not start.")
    }

    private static let safety: [(term: String, meaning: String)] = [
        (
            "files",
            "a decoder reads its own program, the system's libraries and the zones of time, and writes nothing; a private gpsd "
                + "also reads its device, the description of USB devices in /sys and, if root starts it, the table of users; the "
                + "existence and the size of other files can be seen; with corrections it also writes to its device, and reads the pipe "
                + "with the corrections"
        ),
        ("programs", "none but the program itself is run, so that neither runs gpsd's device-hook"),
        (
            "network",
            "none for a decoder and a serial line; for a stream connections to the port of the stream, or datagrams that are only "
                + "received; the names of hosts are looked up before; a caster hears its address instead of its name"
        ),
        (
            "processes",
            "no other process is traced or signalled, and no namespace, mount, keyring or shared memory is made"
        ),
        ("limits", "1 GB of memory, no byte in a file, and for a decoder an hour of processor time"),
    ]
}
