#include "tools/pawl/trial.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

void trial_run(const struct trial *trial, struct finding *finding)
{
    int report[2], status = 0;
    *finding = (struct finding){.how = "no process could be made for the trial"};
    if (pipe2(report, 0) != 0)
        return;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        struct finding found = {0};
        close(report[0]);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        found.works = trial->attempt(&found);
        ssize_t written = write(report[1], &found, sizeof(found));
        _exit(written == (ssize_t)sizeof(found) ? 0 : 1);
    }
    close(report[1]);
    if (child > 0 && read(report[0], finding, sizeof(*finding)) != (ssize_t)sizeof(*finding))
        *finding = (struct finding){.how = "the process of the trial died"};
    close(report[0]);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    finding->how[sizeof(finding->how) - 1] = '\0';
}
