# providers/child: nothing is built here yet.
