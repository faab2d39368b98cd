# providers/quickjs: nothing is built here yet.
