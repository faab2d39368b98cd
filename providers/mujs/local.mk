# providers/mujs: nothing is built here yet.
