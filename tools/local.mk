# tools: nothing is built here yet.
