"""What the scripts of Tools share."""
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
