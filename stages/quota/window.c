#include "stages/quota/window.h"

uint64_t window_total(struct window *window, uint64_t second)
{
    uint64_t passed = second > window->second ? second - window->second : 0;
    for (uint64_t i = 0; i < passed && i < WINDOW_SECONDS; i++) {
        uint32_t *oldest = &window->counts[(window->second + 1 + i) % WINDOW_SECONDS];
        window->total -= *oldest;
        *oldest = 0;
    }
    window->second += passed;
    return window->total;
}

void window_count(struct window *window, uint64_t second)
{
    window_total(window, second);
    window->counts[window->second % WINDOW_SECONDS]++;
    window->total++;
}
