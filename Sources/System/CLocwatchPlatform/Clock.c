#include "CLocwatchPlatform.h"

#include <sys/timex.h>

int locwatch_clock_is_kept(void) {
    // No mode means that nothing is set, which needs no privilege; some containers forbid even that.
    struct timex state = { .modes = 0 };
    int answer = adjtimex(&state);
    if (answer < 0) return -1;
    return answer != TIME_ERROR && !(state.status & STA_UNSYNC);
}
