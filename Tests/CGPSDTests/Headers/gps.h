// Represents gps.h of several releases of libgps, with only the declarations that the shim uses and the relevant
// differences between releases. RELEASE is the release without its point: 320 is 3.20; 399 is after 3.27.
//
//   API   9 3.20 | 10 3.21 | 11 3.22 | 12 3.23 | 13 (between releases) | 14 3.24, 3.25, 3.26 | 16.0 3.27 | 16.1 3.27.5 on

#ifndef STAND_IN_GPS_H
#define STAND_IN_GPS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#ifndef RELEASE
#error "RELEASE says which release this stands for"
#elif RELEASE == 320
#define GPSD_API_MAJOR_VERSION 9
#elif RELEASE == 321
#define GPSD_API_MAJOR_VERSION 10
#elif RELEASE == 322
#define GPSD_API_MAJOR_VERSION 11
#elif RELEASE == 323
#define GPSD_API_MAJOR_VERSION 12
#elif RELEASE == 3235
#define GPSD_API_MAJOR_VERSION 13
#elif RELEASE == 324 || RELEASE == 325 || RELEASE == 326
#define GPSD_API_MAJOR_VERSION 14
#elif RELEASE == 327 || RELEASE == 399
#define GPSD_API_MAJOR_VERSION 16
#elif RELEASE == 319
#define GPSD_API_MAJOR_VERSION 8
#else
#error "no such release"
#endif
#if RELEASE == 399
#define GPSD_API_MINOR_VERSION 1
#else
#define GPSD_API_MINOR_VERSION 0
#endif

// The number of satellites changed within API 14, and again within 16.
#if RELEASE == 399
#define MAXCHANNELS 230
#elif RELEASE == 326 || RELEASE == 327
#define MAXCHANNELS 184
#else
#define MAXCHANNELS 140
#endif

typedef uint64_t gps_mask_t;
typedef struct timespec timespec_t;
typedef int socket_t;

struct gps_fix_t {
    timespec_t time;
    int mode;
#if GPSD_API_MAJOR_VERSION >= 10
    int status;
#endif
    double ept, latitude, epy, longitude, epx, altitude, altHAE, altMSL, epv, track, epd, speed, eps, climb, epc, eph, sep;
    double geoid_sep, magnetic_track, magnetic_var, depth;
    struct {
        double x, y, z, pAcc, vx, vy, vz, vAcc;
    } ecef;
    struct {
        double relPosN, relPosE, relPosD;
#if GPSD_API_MAJOR_VERSION >= 10
        double relPosL, relPosH;
#endif
        double velN, velE, velD;
    } NED;
    char datum[40];
    double dgps_age;
    int dgps_station;
};

// An enumeration since API 16.
#if GPSD_API_MAJOR_VERSION >= 16
typedef enum { GNSSID_GPS = 0, GNSSID_CNT = 8 } gnssid_t;
#else
typedef unsigned char gnssid_t;
#endif

struct satellite_t {
    double ss;
    bool used;
    short PRN;
    double elevation, azimuth;
    gnssid_t gnssid;
    unsigned char svid, sigid;
    signed char freqid;
    unsigned char health;
};

struct dop_t {
    double xdop, ydop, pdop, hdop, vdop, tdop, gdop;
};

struct devconfig_t {
    char path[128];
    int flags;
    char driver[64], subtype[128], subtype1[128];
    timespec_t activated;
    unsigned int baudrate, stopbits;
    char parity;
    timespec_t cycle, mincycle;
    int driver_mode;
};

struct gst_t {
    timespec_t utctime;
    double rms_deviation, smajor_deviation, sminor_deviation, smajor_orientation;
    double lat_err_deviation, lon_err_deviation, alt_err_deviation;
};

struct attitude_t {
    timespec_t mtime;
    double acc_len, acc_x, acc_y, acc_z, depth, dip, gyro_x, gyro_y, heading;
    double mag_len, mag_x, mag_y, mag_z, pitch, roll, temp, yaw;
};

struct version_t {
    char release[64], rev[64];
    int proto_major, proto_minor;
};


struct gps_data_t {
    gps_mask_t set;
    timespec_t online;
    socket_t gps_fd;
    struct gps_fix_t fix;
#if GPSD_API_MAJOR_VERSION < 10
    int status;
#else
    int leap_seconds;
#endif
    int satellites_used;
    struct dop_t dop;
    timespec_t skyview_time;
#if RELEASE == 399
    unsigned satellites_visible;
#else
    int satellites_visible;
#endif
    struct satellite_t skyview[MAXCHANNELS];
    struct devconfig_t dev;
    struct {
        timespec_t time;
#if RELEASE == 399
        unsigned ndevices;
#else
        int ndevices;
#endif
        struct devconfig_t list[4];
    } devices;
    // The attitude left the union with API 12, the deviations with 14.
#if GPSD_API_MAJOR_VERSION >= 12
    struct attitude_t attitude;
#endif
#if GPSD_API_MAJOR_VERSION >= 14
    struct gst_t gst;
#endif
    union {
#if GPSD_API_MAJOR_VERSION < 12
        struct attitude_t attitude;
#endif
#if GPSD_API_MAJOR_VERSION < 14
        struct gst_t gst;
#endif
        struct version_t version;
        char error[256];
    };
    void *privdata;
};

extern int gps_open(const char *, const char *, struct gps_data_t *);
extern int gps_close(struct gps_data_t *);
// Changed within API 14.
#if RELEASE == 325 || RELEASE == 326 || RELEASE == 327 || RELEASE == 399
extern int gps_unpack(const char *, struct gps_data_t *);
#else
extern int gps_unpack(char *, struct gps_data_t *);
#endif

#endif
