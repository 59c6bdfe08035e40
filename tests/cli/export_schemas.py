"""What other tools demand of our files, as far as we use their formats.

The official SARIF schema is far larger; this holds what it says about the properties that we write,
and refuses all others.
"""


def record(required, **optional):
    """An object with these properties and no others."""
    properties = {**required, **optional}
    return {"type": "object", "required": sorted(required), "properties": properties,
            "additionalProperties": False}


def list_of(items, least=0):
    return {"type": "array", "items": items, "minItems": least}


TEXT = {"type": "string"}
COUNT = {"type": "integer", "minimum": 0}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
MESSAGE = record({"text": {"type": "string", "minLength": 1}})

PLACE = record({"artifactLocation": record({"uri": {"type": "string", "pattern": r"^[!-~]+$"}}),
                "region": record({"startLine": {"type": "integer", "minimum": 1}})})
LOCATION = record({"physicalLocation": PLACE}, message=MESSAGE)
STEP = record({"location": LOCATION}, executionOrder=COUNT,
              importance={"enum": ["important", "essential", "unimportant"]})
RESULT = record(
    {"message": MESSAGE, "ruleId": TEXT, "ruleIndex": COUNT, "level": LEVEL,
     "locations": list_of(LOCATION, 1),
     "partialFingerprints": {"type": "object", "additionalProperties": TEXT, "minProperties": 1}},
    relatedLocations=list_of(LOCATION),
    codeFlows=list_of(record({"threadFlows": list_of(record({"locations": list_of(STEP, 1)}), 1)})))
RULE = record({"id": TEXT, "shortDescription": MESSAGE}, name=TEXT, fullDescription=MESSAGE, help=MESSAGE,
              defaultConfiguration=record({"level": LEVEL}))
SARIF = record(
    {"version": {"const": "2.1.0"},
     "runs": list_of(record(
         {"tool": record({"driver": record({"name": {"const": "clew"}, "rules": list_of(RULE, 1)})}),
          "results": list_of(RESULT)},
         invocations=list_of(record(
             {"executionSuccessful": {"type": "boolean"}},
             toolExecutionNotifications=list_of(record({"message": MESSAGE}, level=LEVEL)))),
         columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
         properties={"type": "object"}), 1)},
    **{"$schema": TEXT})

# Values of the Informal Trace Format.
ITF_VALUE = {
    "anyOf": [
        {"type": ["string", "boolean"]},
        record({"#bigint": {"type": "string", "pattern": "^-?[0-9]+$"}}),
        record({"#set": list_of({"$ref": "#/$defs/value"})}),
        record({"#tup": list_of({"$ref": "#/$defs/value"})}),
        {"type": "object", "propertyNames": {"not": {"pattern": "^#"}},
         "additionalProperties": {"$ref": "#/$defs/value"}},
    ]
}
ITF = {
    **record({"#meta": {"type": "object", "required": ["format"], "properties": {"format": {"const": "ITF"}}},
              "vars": list_of(TEXT, 3),
              "states": list_of({"type": "object", "required": ["#meta"],
                                 "properties": {"#meta": record({"index": COUNT})},
                                 "additionalProperties": {"$ref": "#/$defs/value"}}, 1)}),
    "$defs": {"value": ITF_VALUE},
}

MOLLY_RUNS = list_of(record(
    {"iteration": COUNT, "status": {"enum": ["success", "failure"]},
     "failureSpec": record(
         {"eot": COUNT, "eff": COUNT, "maxCrashes": COUNT, "nodes": list_of(TEXT, 1),
          "crashes": list_of(record({"node": TEXT, "time": COUNT})),
          "omissions": list_of(record({"from": TEXT, "to": TEXT, "time": COUNT}))}),
     "model": record({"tables": {"type": "object", "required": ["pre", "post"],
                                 "additionalProperties": list_of(list_of(TEXT, 1))}}),
     "messages": list_of(record({"table": TEXT, "from": TEXT, "to": TEXT, "sendTime": COUNT,
                                 "receiveTime": COUNT}))}), 1)
MOLLY_PROVENANCE = record(
    {"goals": list_of(record({"id": {"type": "string", "pattern": "^goal[0-9]+$"}, "label": TEXT,
                              "table": TEXT, "time": {"type": "string", "pattern": "^[0-9]+$"}})),
     "rules": list_of(record({"id": {"type": "string", "pattern": "^rule[0-9]+$"}, "label": TEXT,
                              "table": TEXT, "type": {"enum": ["single", "next", "async"]}})),
     "edges": list_of(record({"from": TEXT, "to": TEXT}))})

# Elements of JUnit XML: where they stand, and which attributes they must and may have.
JUNIT = {
    "testsuites": {"inside": [None], "must": set(), "may": {"name", "time", "tests", "failures", "errors"}},
    "testsuite": {"inside": ["testsuites"], "must": {"name", "tests"},
                  "may": {"failures", "errors", "skipped", "time"}},
    "properties": {"inside": ["testsuite"], "must": set(), "may": set()},
    "property": {"inside": ["properties"], "must": {"name", "value"}, "may": set()},
    "testcase": {"inside": ["testsuite"], "must": {"name", "classname"}, "may": {"time"}},
    "failure": {"inside": ["testcase"], "must": {"message", "type"}, "may": set()},
    "error": {"inside": ["testcase"], "must": {"message", "type"}, "may": set()},
    "system-out": {"inside": ["testcase"], "must": set(), "may": set()},
}
