// The limits and the files of the children and of this program. A row is for the purposes in its second column. What no row mentions is
// denied.

// MARK: Limits

static const struct {
    int resource;
    uint32_t purposes;
    rlim_t most;
} limits[] = {
    // xz takes up to 100 MB and zstd 128 MB; a thread of gpsd reserves 136 MB of addresses.
    {RLIMIT_AS, EACH, 1 << 30},
    // A recording of an hour of processor time has hundreds of gigabytes. gpsd runs for months.
    {RLIMIT_CPU, DECODER, 3600},
    {RLIMIT_FSIZE, EACH, 0},
    {RLIMIT_CORE, EACH, 0},
    {RLIMIT_NOFILE, EACH, 256},
};

// MARK: Files

enum { MAY_RUN = 1 << 0, MAY_WRITE = 1 << 1, MAY_READ = 1 << 2, MAY_LIST = 1 << 3 };
enum { MAY_REFER = 1 << 13, MAY_TRUNCATE = 1 << 14, MAY_COMMAND = 1 << 15 };
/// What can be done with a file, and what can be done in a folder that is to be written in.
enum { RIGHTS_OF_FILE = MAY_RUN | MAY_WRITE | MAY_READ | MAY_TRUNCATE | MAY_COMMAND, ALL_BUT_RUN = 0xFFFE };

/// The files and folders besides the program itself, its loader and its device.
static const struct {
    const char *path;
    uint32_t purposes;
    uint32_t rights;
    int is_for_root;
} paths[] = {
    // The libraries of a program.
    {"/etc/ld.so.cache", ANY, MAY_READ, 0},
    {"/etc/ld.so.preload", ANY, MAY_READ, 0},
    {"/lib", ANY, MAY_READ, 0},
    {"/lib64", ANY, MAY_READ, 0},
    {"/usr/lib", ANY, MAY_READ, 0},
    {"/usr/lib64", ANY, MAY_READ, 0},
    {"/usr/local/lib", ANY, MAY_READ, 0},
    {"/usr/libexec/coreutils", ANY, MAY_READ, 0},
    {"/nix/store", ANY, MAY_READ, 0},
    {"/gnu/store", ANY, MAY_READ, 0},
    {"/dev/null", ANY, MAY_READ | MAY_WRITE, 0},
    {"/etc/localtime", ANY, MAY_READ, 0},
    {"/usr/share/zoneinfo", ANY, MAY_READ, 0},
    // The data of the system, and its programs, which inherit the confinement.
    {"/bin", RUNS, MAY_RUN | MAY_READ | MAY_LIST, 0},
    {"/lib", OWN, MAY_READ | MAY_LIST, 0},
    {"/lib64", OWN, MAY_READ | MAY_LIST, 0},
    {"/usr", OWN, MAY_READ | MAY_LIST, 0},
    {"/nix/store", OWN, MAY_READ | MAY_LIST, 0},
    {"/gnu/store", OWN, MAY_READ | MAY_LIST, 0},
    {"/lib", RUNS, MAY_RUN, 0},
    {"/lib64", RUNS, MAY_RUN, 0},
    {"/usr", RUNS, MAY_RUN, 0},
    {"/nix/store", RUNS, MAY_RUN, 0},
    {"/gnu/store", RUNS, MAY_RUN, 0},
    {"/dev/tty", OWN, MAY_READ | MAY_WRITE | MAY_COMMAND, 0},
    // Names of hosts, authorities of certificates and random numbers. The files are replaced while the program runs, so that their
    // folders have the rule.
    {"/etc", CONNECTS, MAY_READ | MAY_LIST, 0},
    {"/run/NetworkManager", CONNECTS, MAY_READ, 0},
    {"/run/connman", CONNECTS, MAY_READ, 0},
    {"/run/resolvconf", CONNECTS, MAY_READ, 0},
    {"/run/systemd/resolve", CONNECTS, MAY_READ, 0},
    {"/var/lib/ca-certificates", CONNECTS, MAY_READ | MAY_LIST, 0},
    {"/proc/sys", CONNECTS, MAY_READ, 0},
    // The bytes that a client of serve has not read.
    {"/proc/net", CONNECTS, MAY_READ, 0},
    {"/dev/random", CONNECTS, MAY_READ, 0},
    {"/dev/urandom", CONNECTS, MAY_READ, 0},
    // gpsd gives up root's rights, and looks the user and the group up for that.
    {"/etc/nsswitch.conf", GPSD, MAY_READ, 1},
    {"/etc/passwd", GPSD, MAY_READ, 1},
    {"/etc/group", GPSD, MAY_READ, 1},
    // gpsd looks for USB receivers of Garmin, and 3.22 crashes if libusb cannot.
    {"/dev/bus/usb", LINE, MAY_LIST, 0},
    {"/sys/bus", LINE, MAY_READ | MAY_LIST, 0},
    {"/sys/class", LINE, MAY_LIST, 0},
    {"/sys/devices", LINE, MAY_READ | MAY_LIST, 0},
};
