#define _GNU_SOURCE
#include "CLocwatchPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

static speed_t constant_for(int speed) {
    switch (speed) {
    case 1200: return B1200;
    case 2400: return B2400;
    case 4800: return B4800;
    case 9600: return B9600;
    case 19200: return B19200;
    case 38400: return B38400;
    case 57600: return B57600;
    case 115200: return B115200;
    case 230400: return B230400;
    case 460800: return B460800;
    case 921600: return B921600;
    default: return B0;
    }
}

int locwatch_is_line_speed(int speed) {
    return constant_for(speed) != B0;
}

static int prepare(int master, int speed, int anyone, int *slave, char *path, size_t capacity) {
    if (grantpt(master) != 0 || unlockpt(master) != 0) return errno;
    int failure = ptsname_r(master, path, capacity);
    if (failure != 0) return failure;
    if (chmod(path, anyone ? 0666 : 0600) != 0) return errno;
    int opened = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (opened < 0) return errno;
    struct termios line;
    if (tcgetattr(opened, &line) == 0) {
        cfmakeraw(&line);
        line.c_cflag |= CLOCAL | CREAD;
        if (cfsetspeed(&line, constant_for(speed)) == 0 && tcsetattr(opened, TCSANOW, &line) == 0) {
            *slave = opened;
            return 0;
        }
    }
    failure = errno;
    close(opened);
    return failure;
}

int locwatch_open_pty(int speed, int anyone, int *master, int *slave, char *path, size_t capacity) {
    if (!locwatch_is_line_speed(speed)) return EINVAL;
    int opened = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    if (opened < 0) return errno;
    int failure = prepare(opened, speed, anyone, slave, path, capacity);
    if (failure != 0) {
        close(opened);
        return failure;
    }
    *master = opened;
    return 0;
}

int locwatch_is_exclusive(int descriptor) {
    int exclusive = 0;
    return ioctl(descriptor, TIOCGEXCL, &exclusive) == 0 && exclusive != 0;
}
