# providers/confine: nothing is built here yet.
