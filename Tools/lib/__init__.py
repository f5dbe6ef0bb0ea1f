"""What the scripts of Tools share."""
import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
SWIFT = os.environ.get("SWIFT") or "swift"
