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
    {RLIMIT_CPU, DECODER | LOG, 3600},
    {RLIMIT_FSIZE, EACH, 0},
    {RLIMIT_CORE, EACH, 0},
    {RLIMIT_NOFILE, EACH, 256},
};

// MARK: Files

enum { MAY_RUN = 1 << 0, MAY_WRITE = 1 << 1, MAY_READ = 1 << 2, MAY_LIST = 1 << 3 };
enum { MAY_REFER = 1 << 13, MAY_TRUNCATE = 1 << 14, MAY_COMMAND = 1 << 15 };
/// What can be done with a file, and what can be done in a folder that is to be written in.
enum { RIGHTS_OF_FILE = MAY_RUN | MAY_WRITE | MAY_READ | MAY_TRUNCATE | MAY_COMMAND, ALL_BUT_RUN = 0xFFFE };

/// The condition under which a row holds.
enum condition { ALWAYS, AS_ROOT, AS_USER_OF_REPLACED_NAMES };

/// The files and folders besides the program itself, its loader and its device.
static const struct {
    const char *path;
    uint32_t purposes;
    uint32_t rights;
    enum condition condition;
} paths[] = {
    // The libraries of a program.
    {"/etc/ld.so.cache", ANY, MAY_READ, ALWAYS},
    {"/etc/ld.so.preload", ANY, MAY_READ, ALWAYS},
    {"/lib", ANY, MAY_READ, ALWAYS},
    {"/lib64", ANY, MAY_READ, ALWAYS},
    {"/usr/lib", ANY, MAY_READ, ALWAYS},
    {"/usr/lib64", ANY, MAY_READ, ALWAYS},
    {"/usr/local/lib", ANY, MAY_READ, ALWAYS},
    {"/usr/libexec/coreutils", ANY, MAY_READ, ALWAYS},
    {"/nix/store", ANY, MAY_READ, ALWAYS},
    {"/gnu/store", ANY, MAY_READ, ALWAYS},
    {"/dev/null", ANY, MAY_READ | MAY_WRITE, ALWAYS},
    {"/etc/localtime", ANY, MAY_READ, ALWAYS},
    {"/usr/share/zoneinfo", ANY, MAY_READ, ALWAYS},
    // The data of the system.
    {"/usr", OWN, MAY_READ | MAY_LIST, ALWAYS},
    {"/lib", OWN, MAY_READ | MAY_LIST, ALWAYS},
    {"/lib64", OWN, MAY_READ | MAY_LIST, ALWAYS},
    {"/nix/store", OWN, MAY_READ | MAY_LIST, ALWAYS},
    {"/gnu/store", OWN, MAY_READ | MAY_LIST, ALWAYS},
    {"/dev/tty", OWN, MAY_READ | MAY_WRITE | MAY_COMMAND, ALWAYS},
    // The C library: names of hosts and services.
    {"/etc/resolv.conf", CONNECTS, MAY_READ, ALWAYS},
    {"/etc/hosts", CONNECTS, MAY_READ, ALWAYS},
    {"/etc/host.conf", CONNECTS, MAY_READ, ALWAYS},
    {"/etc/nsswitch.conf", CONNECTS, MAY_READ, ALWAYS},
    {"/etc/gai.conf", CONNECTS, MAY_READ, ALWAYS},
    {"/etc/services", CONNECTS, MAY_READ, ALWAYS},
    {"/etc/protocols", CONNECTS, MAY_READ, ALWAYS},
    // A file that is replaced loses its rule, so that names could not be looked up in the next network. The folder has a rule too if
    // the list of name servers is replaced there, except for root, who could read the passwords of the system.
    {"/etc", CONNECTS, MAY_READ | MAY_LIST, AS_USER_OF_REPLACED_NAMES},
    {"/run/NetworkManager", CONNECTS, MAY_READ, ALWAYS},
    {"/run/connman", CONNECTS, MAY_READ, ALWAYS},
    {"/run/resolvconf", CONNECTS, MAY_READ, ALWAYS},
    {"/run/systemd/resolve", CONNECTS, MAY_READ, ALWAYS},
    {"/proc/sys", CONNECTS, MAY_READ, ALWAYS},
    // The plug-in of the C library for names that end with .local.
    {"/etc/mdns.allow", LOCAL, MAY_READ, ALWAYS},
    // OpenSSL, on Debian and Alpine, openSUSE, Arch, and Fedora: the authorities, and its settings. The folders around them have keys.
    {"/etc/ssl/certs", CONNECTS, MAY_READ | MAY_LIST, ALWAYS},
    {"/etc/ssl/cert.pem", CONNECTS, MAY_READ, ALWAYS},
    {"/etc/ssl/openssl.cnf", CONNECTS, MAY_READ, ALWAYS},
    {"/etc/ssl/ca-bundle.pem", CONNECTS, MAY_READ, ALWAYS},
    {"/var/lib/ca-certificates", CONNECTS, MAY_READ | MAY_LIST, ALWAYS},
    {"/etc/ca-certificates", CONNECTS, MAY_READ | MAY_LIST, ALWAYS},
    {"/etc/pki/tls/certs", CONNECTS, MAY_READ | MAY_LIST, ALWAYS},
    {"/etc/pki/tls/cert.pem", CONNECTS, MAY_READ, ALWAYS},
    {"/etc/pki/tls/openssl.cnf", CONNECTS, MAY_READ, ALWAYS},
    {"/etc/pki/ca-trust/extracted", CONNECTS, MAY_READ | MAY_LIST, ALWAYS},
    {"/etc/crypto-policies", CONNECTS, MAY_READ, ALWAYS},
    // GnuTLS, which libmicrohttpd and some builds of libcurl bring along.
    {"/etc/gnutls/config", CONNECTS, MAY_READ, ALWAYS},
    // The bytes that a client of serve has not read.
    {"/proc/net", CONNECTS, MAY_READ, ALWAYS},
    {"/dev/random", CONNECTS, MAY_READ, ALWAYS},
    {"/dev/urandom", CONNECTS, MAY_READ, ALWAYS},
    // gpsd gives up root's rights, and looks the user and the group up for that, for which what starts it needs the rule, too.
    {"/etc/nsswitch.conf", GPSD | LOG | RUNS, MAY_READ, AS_ROOT},
    {"/etc/passwd", GPSD | LOG | RUNS, MAY_READ, AS_ROOT},
    {"/etc/group", GPSD | LOG | RUNS, MAY_READ, AS_ROOT},
    // gpsd looks for USB receivers of Garmin, and 3.22 crashes if libusb cannot.
    {"/dev/bus/usb", LINE, MAY_LIST, ALWAYS},
    {"/sys/bus", LINE, MAY_READ | MAY_LIST, ALWAYS},
    {"/sys/class", LINE, MAY_LIST, ALWAYS},
    {"/sys/devices", LINE, MAY_READ | MAY_LIST, ALWAYS},
};
