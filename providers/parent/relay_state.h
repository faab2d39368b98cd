/* relay_state.h - inside the relay: the state of one run, and what its parts ask of each other. */
#ifndef PARENT_RELAY_STATE_H
#define PARENT_RELAY_STATE_H

#include "bounds.h"
#include "gateway.h"
#include "worker.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

struct relayed_call {
    uint64_t child; /* its id on the wire */
    uint64_t host;  /* its id in the host */
};

struct relay {
    struct worker *worker;
    const struct pawl_run *run;
    struct text *why;
    int32_t status;      /* what relay_run returns */
    bool over;           /* the host has been told, or knows, how the run ended */
    bool offended;       /* it ended because the child broke the protocol */
    bool asks;           /* settlements are sent only when the child asks for the next one */
    bool wants_next;     /* it has, and waits */
    uint64_t next_until; /* for so long; 0: as long as the run lasts */
    bool draining;       /* the child has ended: nothing is answered any more */
    uint64_t closing;    /* when a channel that was closed becomes an offence; 0: none was */
    const char *closed;  /* which */
    struct bounds bounds;
    struct gateway *gateway;    /* NULL: there is no way out */
    struct relayed_call *calls; /* all of the run, by the child's id */
    size_t count, capacity;
    size_t *in_flight; /* indexes into `calls` */
    size_t flying, flying_capacity;
};

/* relay_end.c: the ways in which a run ends here. Only the first one counts. */

/* The provider itself cannot go on: a status code and the reason. */
void relay_give_up(struct relay *relay, int32_t status, const char *why);

/* The program failed, for a reason that is not its child's word. */
void relay_end(struct relay *relay, const char *kind, struct text *message);

/* The child broke the protocol: how. */
void relay_offend(struct relay *relay, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The child ended without saying how the program did. */
void relay_end_without_result(struct relay *relay, const struct child_end *end);

/* What a service of the host returned: true if the run goes on. */
bool relay_goes_on(struct relay *relay, int32_t status);

/* What json_members found wrong. */
const char *relay_explain(struct text *problem);

/* What is done with the frames of a channel, by their type; ends in a NULL function. */
struct relay_handler {
    char type;
    void (*handle)(struct relay *relay, struct json frame);
};
extern const struct relay_handler relay_of_calls[];  /* relay_calls.c */
extern const struct relay_handler relay_of_report[]; /* relay_report.c */

/* relay_calls.c: the host's id of a call; false: the child made none of that id. */
bool relay_find_call(const struct relay *relay, uint64_t child, uint64_t *host);

/* relay_calls.c: the child's id of a call that has settled, and is then no longer in flight; 0:
 * unknown. */
uint64_t relay_land(struct relay *relay, uint64_t host);

/* relay_calls.c: tells the child that nothing has settled in the time that it gave. */
void relay_answer_timeout(struct relay *relay);

/* relay_suspend.c: the run is to be put aside: has the child state what its program is. */
void relay_suspend(struct relay *relay);

/* relay.c: takes in all that the child wrote to its calls channel, without answering. */
void relay_drain_calls(struct relay *relay);

#endif
