#!/usr/bin/python3
"""Validates JSON lines on standard input against a schema, with Debian's python3-jsonschema.

    validate.py SCHEMA [--strict]     --strict: a key that is not in the schema is a fault

An input line with the text --keys prints the keys of the schema, as event.key.
"""
import json
import sys

import jsonschema

schema = json.load(open(sys.argv[1], encoding="utf-8"))
events = [name["$ref"].rsplit("/", 1)[1] for name in schema["oneOf"]]
if "--strict" in sys.argv:
    for name, definition in schema["$defs"].items():
        if "properties" in definition:
            definition["additionalProperties"] = False
        for part in definition.get("properties", {}).values():
            if "properties" in part.get("items", {}):
                part["items"]["additionalProperties"] = False
validator_class = jsonschema.validators.validator_for(schema)
validator_class.check_schema(schema)
validator = validator_class(schema, format_checker=validator_class.FORMAT_CHECKER)

faults = count = 0
for line in sys.stdin:
    if line.strip() == "--keys":
        for name in events:
            print("\n".join(f"{name}.{key}" for key in schema["$defs"][name]["properties"]))
        continue
    count += 1
    value = json.loads(line, parse_constant=lambda word: sys.exit(f"no JSON: {word}"))
    event = value.get("event") if isinstance(value, dict) else None
    # The definition of one event gives a more precise fault than "fits none of them".
    part = {"$ref": f"#/$defs/{event}", "$defs": schema["$defs"]} if event in events else schema
    for fault in validator.evolve(schema=part).iter_errors(value):
        faults += 1
        print(f"line {count}: {fault.json_path}: {fault.message}")
    if event in events and not validator.is_valid(value):
        faults += 1
        print(f"line {count}: fits not exactly one event")
if count and not faults:
    print(f"valid: {count}")
sys.exit(1 if faults else 0)
