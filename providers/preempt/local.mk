# providers/preempt: nothing is built here yet.
