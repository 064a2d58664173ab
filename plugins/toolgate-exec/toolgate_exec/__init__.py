"""A forward stage for toolgate: a command-line chat program in place of a model server."""
