/* The reference for a live session: the loop from libgps's documentation, which prints each fix. */
#include <gps.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    struct gps_data_t *data = calloc(1, sizeof *data);
    if (argc != 2 || data == NULL || gps_open("localhost", argv[1], data) != 0)
        return 74;
    gps_stream(data, WATCH_ENABLE | WATCH_JSON, NULL);
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (gps_waiting(data, 60000000)) {
        if (gps_read(data, NULL, 0) < 0)
            break;
        if ((data->set & MODE_SET) != 0 && data->fix.mode >= MODE_2D && isfinite(data->fix.latitude))
            printf("%.9f %.9f\n", data->fix.latitude, data->fix.longitude);
    }
    gps_close(data);
    return 0;
}
