#include "CMosquitto.h"

// The struct of netinet/tcp.h ends before the count of bytes.
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

uint64_t locwatch_mosquitto_bytes_read(int descriptor) {
    struct tcp_info info;
    socklen_t size = sizeof info;
    int unread = 0;
    if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return 0;
    if (size < offsetof(struct tcp_info, tcpi_bytes_received) + sizeof info.tcpi_bytes_received) return 0;
    if (ioctl(descriptor, SIOCINQ, &unread) != 0 || (uint64_t)unread > info.tcpi_bytes_received) return 0;
    return info.tcpi_bytes_received - (uint64_t)unread;
}
