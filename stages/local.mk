# stages: nothing is built here yet.
