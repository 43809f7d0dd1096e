"""Writes tests/goldens/python_jinja.json: what jinja2 makes of expressions: python tests/peers/python_jinja.py."""
import json
import pathlib
import sys

import jinja2
from jinja2.sandbox import ImmutableSandboxedEnvironment

OUT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "tests/goldens/python_jinja.json")
# What tojson of transformers is.
environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
environment.filters["tojson"] = lambda x, ensure_ascii=False, indent=None, separators=None, sort_keys=False: json.dumps(
    x, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)
VALUES = ["'0'", "''", "'1'", "'true'", "0", "1", "1.0", "2.5", "true", "false", "none", "[]", "[1]", "['1']", "{}",
          "{'a': 1}", "{'a': true}", "missing"]
EXPRESSIONS = [f"{a} {o} {b}" for a in VALUES for b in VALUES for o in ("==", "!=")]
EXPRESSIONS += [f"{a} {o} {b}" for a in VALUES for b in ("[1, 'x', none]", "{'1': 2}", "'x1'", "[]", "missing")
                for o in ("in", "not in")]
EXPRESSIONS += [f"{a} {o} {b}" for a in ("-7", "7", "0", "-7.5", "true") for b in ("3", "-3", "2.5", "1")
                for o in ("%", "//", "/", "+", "-", "*", "<", ">=")]
EXPRESSIONS += [
    "'😀b'|length", "'😀b'[1]", "'😀b'[-1]", "'😀b'[:1]", "'😀b'[::-1]", "true ~ 1", "none ~ ''", "1.0 ~ 'a'", "[1, 'a'] ~ ''",
    "missing ~ 'a'", "'xax'.strip('x')", "'xyaxy'.lstrip('yx')", "'xax'.rstrip('x')", "' a '.strip(none)", "'xax'|trim('x')",
    "'\ufeffa\x1f'.strip()|length", "' a '|trim", "'a' + 1", "1 + 'a'", "1 // 0", "1 % 0", "1 / 0", "'3.7'|int", "'x'|int", "'12a'|int",
    "'x'|int(7)", "-1.5|int", "'1e3'|float", "'a'|float(2)", "2|float", "true|int", "[true, none, 1.0]|join(',')", "'😀b'|join('-')",
    "[true, 'a']|string", "true|string", "[1.0, 2]|tojson", "1.0|tojson", "-0.0|tojson", "0.0000001|tojson",
    "100000000000000000.0|tojson", "0.0001|tojson", "0.00012345|tojson", "123456789.125|tojson", "{'b': 1, 'B': 2, 'a': [{}, []]}|tojson(sort_keys=true)",
    "{'a': [1, {'b': 'é'}], 'c': []}|tojson(indent=2)", "{'a': 'é\"\\n'}|tojson(ensure_ascii=true)", "[1, 2]|tojson(separators=(',', ':'))",
    "(1, 'a')|tojson", "missing|tojson", "0.1 + 0.2", "3.0", "100 * 1.0", "0.0000001", "12345678901234567.0", "1000000000000000.0", "0.0001",
    "10000000000000000000000 + 1", "{'a': 1} is iterable", "missing is iterable", "1 is iterable", "true is number", "-3 is odd", "3 is even",
    "[{'a': 1}, {'a': '1'}, {'a': 1.0}]|selectattr('a', 'equalto', 1)|list", "[{'a': 'x'}]|selectattr('a', 'equalto', 'x')|list",
    "[{'a': [1]}]|selectattr('a', 'eq', [1])|list",
    "'ŉ a</b>c'|title", "'hELLO-wORLD'|title", "'a' == 'a' == true", "(1, 2) == [1, 2]", "'abc' < 'abd'", "'a' * 3", "[3.5]", "1 ~ 2 + 3",
]
OBJECTS = ["missing", "[{'a': 1, 'b': none}, {'b': {'c': 2}}]", "'aBc d'", "''", "none", "5", "2.5", "[]", "{'k': 'v'}", "(1, 2)",
           "['x', 'Y']", "namespace(k=1)"]
EXPRESSIONS += [f"{v}|{f}" for v in OBJECTS for f in (
    "trim", "upper", "lower", "title", "capitalize", "replace('a', 'X')", "string", "list", "first", "last", "length", "join('-')",
    "map('upper')|list", "map(attribute='a')|list", "map('length')|list", "selectattr('a')|list", "selectattr('a', 'undefined')|list",
    "selectattr('b.c', 'equalto', 2)|list", "rejectattr('a', 'undefined')|list", "selectattr('a', 'ne', 1)|list", "select|list",
    "select('string')|list", "reject('none')|list", "unique|list")]
EXPRESSIONS += [f"{v}{m}" for v in ("missing", "'aBc d'", "'it\\'s 2nd'", "[1]", "{'k': 'v'}", "{'k': {'x': 1}}") for m in (
    ".title()", ".capitalize()", ".length", ".x", ".x.y", ".k", ".k.x", "['x']", "['x']['y']", "[0]")]
EXPRESSIONS += [f"{v} is {t}" for v in OBJECTS + ["'AB1'", "'ab'", "'1'", "-3", "[true]"] for t in (
    "lower", "upper", "odd", "even", "sequence", "callable", "iterable", "mapping", "defined")]
EXPRESSIONS += ["[missing]", "{'k': missing}", "missing.x is defined", "missing.x|default('d')", "[missing, none]|join(',')"]
STATEMENTS = [f"{{% for x in {v} %}}<{{{{ x }}}}>{{% else %}}none{{% endfor %}}" for v in OBJECTS] + [
    f"{{% for x in {v} if x %}}{{{{ loop.index }}}}{{{{ loop.last }}}}{{% endfor %}}" for v in OBJECTS]
found = []
for expression in dict.fromkeys(EXPRESSIONS + STATEMENTS):
    try:
        template = expression if expression.startswith("{%") else "{{ " + expression + " }}"
        text = environment.from_string(template).render()
    except Exception:
        text = None
    found.append([expression, text])
OUT.write_text(json.dumps({"jinja2": jinja2.__version__, "expressions": found}, ensure_ascii=False) + "\n")
