# providers/program: nothing is built here yet.
