"""The limits of the program as it is released."""

# Half is the Swift runtime and its Unicode tables, the C library of gpsd, and the tables of the runtime.
SIZE = 16.0  # MB
# While watching. All but 1 MB are pages of the program and of libraries, which other processes share.
MEMORY = 8.5  # MB
START = 1.3  # times the start time of gpspipe
