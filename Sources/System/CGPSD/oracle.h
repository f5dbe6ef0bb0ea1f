// libgps' own decoder, for the tests that compare locwatch's decoder with it. Nothing else may use it: gps_unpack never
// returns from a DEVICES report of five devices, nor from some malformed lines.

#ifndef LOCWATCH_CGPSD_ORACLE_H
#define LOCWATCH_CGPSD_ORACLE_H

#include "shim.h"

/// A decoded line. Never completed, like the session in shim.h.
typedef struct locwatch_oracle locwatch_oracle;

/// The part of a TPV that every release since 3.20 knows; NaN if unknown, as in libgps.
typedef struct locwatch_oracle_fix {
    long long seconds;
    long nanoseconds;
    int mode, status, leap_seconds, dgps_station;
    double latitude, longitude, altitude_hae, altitude_msl, geoid_separation, depth;
    double track, magnetic_track, magnetic_variation, speed, climb;
    double ept, epx, epy, epv, eph, sep, eps, epd, epc, dgps_age;
    double ecef_x, ecef_y, ecef_z, ecef_vx, ecef_vy, ecef_vz, ecef_position_accuracy, ecef_velocity_accuracy;
    double velocity_north, velocity_east, velocity_down;
    double relative_north, relative_east, relative_down;
} locwatch_oracle_fix;

/// The part of a SKY other than its satellites.
typedef struct locwatch_oracle_sky {
    long long seconds;
    long nanoseconds;
    int visible, used;
    double xdop, ydop, pdop, hdop, vdop, tdop, gdop;
} locwatch_oracle_sky;

/// A satellite of a SKY.
typedef struct locwatch_oracle_satellite {
    int prn, gnssid, svid, sigid, freqid, health;
    bool used;
    double elevation, azimuth, signal;
} locwatch_oracle_satellite;

/// The time of a GST.
typedef struct locwatch_oracle_gst_time {
    long long seconds;
    long nanoseconds;
} locwatch_oracle_gst_time;

/// A device of a DEVICE or DEVICES; the strings are valid until the next line is read.
typedef struct locwatch_oracle_device {
    const char *path, *driver, *subtype, *subtype1;
    long long activated_seconds;
    long activated_nanoseconds;
    int flags, baudrate, stop_bits, native;
    char parity;
} locwatch_oracle_device;

/// A VERSION; the strings are valid until the next line is read.
typedef struct locwatch_oracle_version {
    const char *release, *revision;
    int protocol_major, protocol_minor;
} locwatch_oracle_version;

static inline struct gps_data_t *locwatch_oracle_data(const locwatch_oracle *oracle) {
    return (struct gps_data_t *)(void *)oracle;
}

static inline locwatch_oracle *locwatch_oracle_create(void) {
    return (locwatch_oracle *)calloc(1, sizeof(struct gps_data_t));
}

static inline void locwatch_oracle_destroy(locwatch_oracle *oracle) { free(oracle); }

/// Decodes one line and returns whether libgps knows its class. A line that it abandons half-way counts as read.
///
/// Clears the data first, because libgps' masks and values outlive a report.
static inline bool locwatch_oracle_read(locwatch_oracle *oracle, const char *line) {
    struct gps_data_t *data = locwatch_oracle_data(oracle);
    memset(data, 0, sizeof *data);
    // gps_unpack takes char * up to 3.24 and const char * since, within one API number: a buffer of our own suits both.
    char *copy = strdup(line);
    if (copy == NULL) return false;
    // Its result is meaningless: it is 0 even for text that is not JSON.
    gps_unpack(copy, data);
    free(copy);
    return data->set != 0;
}

static inline locwatch_oracle_fix locwatch_oracle_fix_of(const locwatch_oracle *oracle) {
    const struct gps_data_t *data = locwatch_oracle_data(oracle);
    const struct gps_fix_t *fix = &data->fix;
    locwatch_oracle_fix result;
    memset(&result, 0, sizeof result);
    result.seconds = (long long)fix->time.tv_sec;
    result.nanoseconds = fix->time.tv_nsec;
    result.mode = fix->mode;
#if GPSD_API_MAJOR_VERSION < 10
    result.status = data->status;
    result.leap_seconds = 0;
#else
    result.status = fix->status;
    result.leap_seconds = data->leap_seconds;
#endif
    result.dgps_station = fix->dgps_station;
    result.latitude = fix->latitude;
    result.longitude = fix->longitude;
    result.altitude_hae = fix->altHAE;
    result.altitude_msl = fix->altMSL;
    result.geoid_separation = fix->geoid_sep;
    result.depth = fix->depth;
    result.track = fix->track;
    result.magnetic_track = fix->magnetic_track;
    result.magnetic_variation = fix->magnetic_var;
    result.speed = fix->speed;
    result.climb = fix->climb;
    result.ept = fix->ept;
    result.epx = fix->epx;
    result.epy = fix->epy;
    result.epv = fix->epv;
    result.eph = fix->eph;
    result.sep = fix->sep;
    result.eps = fix->eps;
    result.epd = fix->epd;
    result.epc = fix->epc;
    result.dgps_age = fix->dgps_age;
    result.ecef_x = fix->ecef.x;
    result.ecef_y = fix->ecef.y;
    result.ecef_z = fix->ecef.z;
    result.ecef_vx = fix->ecef.vx;
    result.ecef_vy = fix->ecef.vy;
    result.ecef_vz = fix->ecef.vz;
    result.ecef_position_accuracy = fix->ecef.pAcc;
    result.ecef_velocity_accuracy = fix->ecef.vAcc;
    result.velocity_north = fix->NED.velN;
    result.velocity_east = fix->NED.velE;
    result.velocity_down = fix->NED.velD;
    result.relative_north = fix->NED.relPosN;
    result.relative_east = fix->NED.relPosE;
    result.relative_down = fix->NED.relPosD;
    return result;
}

static inline locwatch_oracle_sky locwatch_oracle_sky_of(const locwatch_oracle *oracle) {
    const struct gps_data_t *data = locwatch_oracle_data(oracle);
    locwatch_oracle_sky result;
    memset(&result, 0, sizeof result);
    result.seconds = (long long)data->skyview_time.tv_sec;
    result.nanoseconds = data->skyview_time.tv_nsec;
    result.visible = (int)data->satellites_visible;
    result.used = (int)data->satellites_used;
    result.xdop = data->dop.xdop;
    result.ydop = data->dop.ydop;
    result.pdop = data->dop.pdop;
    result.hdop = data->dop.hdop;
    result.vdop = data->dop.vdop;
    result.tdop = data->dop.tdop;
    result.gdop = data->dop.gdop;
    return result;
}

/// Returns the capacity of libgps in satellites.
static inline int locwatch_oracle_satellite_limit(void) { return MAXCHANNELS; }

/// Returns the satellite at an index of 0 …< visible.
static inline locwatch_oracle_satellite locwatch_oracle_satellite_at(const locwatch_oracle *oracle, int index) {
    const struct satellite_t *satellite = &locwatch_oracle_data(oracle)->skyview[index];
    locwatch_oracle_satellite result;
    memset(&result, 0, sizeof result);
    result.prn = satellite->PRN;
    result.gnssid = (int)satellite->gnssid;
    result.svid = satellite->svid;
    result.sigid = satellite->sigid;
    result.freqid = satellite->freqid;
    result.health = satellite->health;
    result.used = satellite->used;
    result.elevation = satellite->elevation;
    result.azimuth = satellite->azimuth;
    result.signal = satellite->ss;
    return result;
}

static inline locwatch_oracle_gst_time locwatch_oracle_gst_time_of(const locwatch_oracle *oracle) {
    const struct gst_t *gst = &locwatch_oracle_data(oracle)->gst;
    locwatch_oracle_gst_time result;
    memset(&result, 0, sizeof result);
    result.seconds = (long long)gst->utctime.tv_sec;
    result.nanoseconds = gst->utctime.tv_nsec;
    return result;
}

static inline locwatch_oracle_device locwatch_oracle_device_out_of(const struct devconfig_t *device) {
    locwatch_oracle_device result;
    memset(&result, 0, sizeof result);
    result.path = device->path;
    result.driver = device->driver;
    result.subtype = device->subtype;
    result.subtype1 = device->subtype1;
    result.activated_seconds = (long long)device->activated.tv_sec;
    result.activated_nanoseconds = device->activated.tv_nsec;
    result.flags = device->flags;
    result.baudrate = (int)device->baudrate;
    result.stop_bits = (int)device->stopbits;
    result.native = device->driver_mode;
    result.parity = device->parity;
    return result;
}

/// Returns the device of a DEVICE, or the path alone of the device of a TPV or SKY.
static inline locwatch_oracle_device locwatch_oracle_device_of(const locwatch_oracle *oracle) {
    return locwatch_oracle_device_out_of(&locwatch_oracle_data(oracle)->dev);
}

static inline int locwatch_oracle_device_count(const locwatch_oracle *oracle) {
    return (int)locwatch_oracle_data(oracle)->devices.ndevices;
}

/// Returns the device at an index of 0 …< count of a DEVICES.
static inline locwatch_oracle_device locwatch_oracle_device_at(const locwatch_oracle *oracle, int index) {
    return locwatch_oracle_device_out_of(&locwatch_oracle_data(oracle)->devices.list[index]);
}

static inline locwatch_oracle_version locwatch_oracle_version_of(const locwatch_oracle *oracle) {
    const struct version_t *version = &locwatch_oracle_data(oracle)->version;
    locwatch_oracle_version result;
    memset(&result, 0, sizeof result);
    result.release = version->release;
    result.revision = version->rev;
    result.protocol_major = version->proto_major;
    result.protocol_minor = version->proto_minor;
    return result;
}

#endif
