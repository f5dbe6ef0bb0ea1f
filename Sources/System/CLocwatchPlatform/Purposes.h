// The purposes of a row of the tables.

#include "CLocwatchConfinement.h"

// A child, and what a private gpsd has beside its inherited sockets.
enum { DECODER = LOCWATCH_DECODER, GPSD = LOCWATCH_GPSD, LOG = LOCWATCH_LOG_GPSD, OPEN = LOCWATCH_OPEN_GPSD };
enum { EACH = DECODER | GPSD | LOG };
enum { LINE = 1 << 9, CLIENT = 1 << 10, LISTENER = 1 << 11, DATAGRAMS = 1 << 12 };

// This program, by what its command needs.
enum { OWN = LOCWATCH_OWN, CONNECTS = LOCWATCH_CONNECTS, WRITES = LOCWATCH_WRITES, RUNS = LOCWATCH_RUNS };
enum { LOCAL = LOCWATCH_LOCAL, ANY = EACH | OWN };
