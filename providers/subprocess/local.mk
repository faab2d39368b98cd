# providers/subprocess: nothing is built here yet.
