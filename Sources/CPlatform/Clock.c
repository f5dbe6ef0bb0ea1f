#include "CPlatform.h"

#include <sys/timex.h>

int locwatch_clock_is_kept(void) {
    // Without a mode nothing is set, which needs no right; some containers forbid even that.
    struct timex state = { .modes = 0 };
    int answer = adjtimex(&state);
    if (answer < 0) return -1;
    return answer != TIME_ERROR && !(state.status & STA_UNSYNC);
}
