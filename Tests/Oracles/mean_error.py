#!/usr/bin/python3
"""The error of a mean by numpy, from lines with a time, east and north: prints correlation times and the 95 % radius.

The covariances of the blocks, less their mean, come from the whole matrix.
"""
import sys

import numpy

rows = numpy.array([line.split() for line in sys.stdin], dtype=float)
times, offsets = rows[:, 0], rows[:, 1:]
length = 1.0
while times[-1] >= 64 * length:
    length *= 2
blocks = None
while True:
    count = int(times[-1] // length)
    place = (times // length).astype(int)
    full = [offsets[place == index] for index in range(count)]
    if sum(len(block) == 0 for block in full) * 10 <= count:
        blocks = numpy.array([block.mean(axis=0) for block in full])
        break
    length *= 2


def model(beta, lags):
    """The likeness of blocks of so many correlation times, and the variance of their mean, relative to theirs."""
    distance = numpy.abs(numpy.subtract.outer(numpy.arange(count), numpy.arange(count)))
    near = ((1 - numpy.exp(-beta)) / beta) ** 2
    matrix = near * numpy.exp(-beta * (distance - 1.0))
    numpy.fill_diagonal(matrix, 2 * (beta - 1 + numpy.exp(-beta)) / beta**2)
    less = numpy.eye(count) - 1.0 / count
    seen = less @ matrix @ less
    alike = sum(numpy.trace(seen, offset=lag) for lag in range(1, lags + 1)) / lags
    return alike / numpy.trace(seen), matrix.mean() / (numpy.trace(seen) / count)


def estimate(lags):
    rest = blocks - blocks.mean(axis=0)
    variance = (rest**2).sum() / count / 2
    alike = sum((rest[lag:] * rest[:-lag]).sum() / count / 2 for lag in range(1, lags + 1)) / lags / variance
    low, high = 0.01, 12.0
    if alike >= model(low, lags)[0]:
        return 0.0, 0.0
    for _ in range(80):
        middle = (low * high) ** 0.5
        if model(middle, lags)[0] > alike:
            low = middle
        else:
            high = middle
    return count * high, variance * model(high, lags)[1]


correlations, variance = min(estimate(1), estimate(3))
freedom = correlations / 2
radius = 0.0
if freedom > 0:
    radius = (1 + 6 / correlations) * (freedom * (0.05 ** (-2 / freedom) - 1) * variance) ** 0.5
print(correlations, radius)
