"""Read and validate reports with parsers from other projects."""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import perft_check
import xmlschema
from helpers.node_modules import path_in
from jsonschema import Draft4Validator, Draft202012Validator
from junitparser import JUnitXml
from perft_check.harness.report_context import Project, ReportContext
from perft_check.reports.formats.table import formats_of

OUR_SCHEMA = Path(perft_check.__file__).parent / "reports" / "formats" / "schema.json"


def rendered(name: str, result: object, configuration: str = "") -> str:
    """Return the content of the report file that would be written in the working folder."""
    text = formats_of(type(result))[name].render(result, ReportContext("", "", (), project=Project.here(configuration)))
    return text.encode(errors="backslashreplace").decode()


@cache
def junit_schema() -> Any:
    """Return the JUnit schema of Jenkins' xUnit plugin, None if it is not installed."""
    file = os.environ.get("PERFT_CHECK_JUNIT_XSD")
    return xmlschema.XMLSchema(file) if file else None


@cache
def sarif_schema() -> Any:
    """Return the validator of SARIF."""
    file = path_in("@microsoft/jest-sarif", "lib", "schemas", "sarif-2.1.0-rtm.5.json")
    return Draft4Validator(json.loads(file.read_text()))


@cache
def our_schema(is_strict: bool = False) -> Any:
    """Return the validator of perft-check's JSON; the strict one rejects unknown fields."""
    schema = json.loads(OUR_SCHEMA.read_text())
    return Draft202012Validator(_closed(schema) if is_strict else schema)


def _closed(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {name: _closed(value) for name, value in schema.items()}
    is_object = schema.get("type") == "object" and "properties" in schema and "allOf" not in schema
    return {"additionalProperties": False, **closed} if is_object else closed


def junit(result: object) -> JUnitXml:
    """Return a JUnit report parsed by junitparser, and validate it if Jenkins' schema is installed."""
    text = rendered("junit", result)
    if schema := junit_schema():
        schema.validate(text)
    return JUnitXml.fromstring(text.encode())


def sarif(result: object, configuration: str = "") -> Any:
    """Return the only run of a SARIF report, after validating it."""
    document = json.loads(rendered("sarif", result, configuration))
    sarif_schema().validate(document)
    (run,) = document["runs"]
    return run


def json_lines(result: object, is_strict: bool = False) -> list[Any]:
    """Return the lines of a JSON Lines report, after validating them."""
    lines = [json.loads(line) for line in rendered("jsonl", result).split("\n")[:-1]]
    for line in lines:
        our_schema(is_strict).validate(line)
    return lines


def json_document(result: object, is_strict: bool = False) -> Any:
    """Return a JSON report, after validating it."""
    document = json.loads(rendered("json", result))
    our_schema(is_strict).validate(document)
    return document
