// The program under test: prints the mode and the position of each report, with libgps.
#include <gps.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **words) {
    static struct gps_data_t data;
    int left = count > 2 ? atoi(words[2]) : 1;
    if (count < 2 || gps_open("localhost", words[1], &data) != 0) return 1;
    gps_stream(&data, WATCH_ENABLE | WATCH_JSON, NULL);
    while (left > 0 && gps_waiting(&data, 10000000)) {
        if (gps_read(&data, NULL, 0) < 0) return 2;
        if (!(data.set & MODE_SET)) continue;
        printf("%d %.3f %.3f\n", data.fix.mode, data.fix.latitude, data.fix.longitude);
        fflush(stdout);
        data.set = 0;
        left--;
    }
    gps_close(&data);
    return left == 0 ? 0 : 3;
}
