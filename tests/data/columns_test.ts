import assert from "node:assert/strict";
import { TABLES } from "../../data/columns.ts";

Deno.test("TABLES: names are snake_case, every column has a sentence and a known type", () => {
  const types = /^(int32|float32|float64|utf8|category|bool|json|list<(int32|float32|utf8)>)$/;
  for (const [table, columns] of Object.entries(TABLES)) {
    assert.match(table, /^[a-z]+$/);
    for (const [name, { type, about }] of Object.entries(columns)) {
      assert.match(name, /^[a-z][a-z0-9_]*$/, `${table}.${name}`);
      assert.match(type, types, `${table}.${name}`);
      assert(about.length > 4 && !about.endsWith("."), `${table}.${name}`);
    }
  }
});

Deno.test("TABLES: a name has one unit wherever it stands", () => {
  const units = new Map<string, string>();
  for (const columns of Object.values(TABLES)) {
    for (const [name, { unit }] of Object.entries(columns)) {
      const known = units.get(name);
      if (known !== undefined) assert.equal(unit, known, name);
      units.set(name, unit);
    }
  }
});

Deno.test("TABLES: metrics holds every quantity of updates that is no flag", () => {
  for (const [name, { type }] of Object.entries(TABLES.updates)) {
    if (type === "float64") assert(Object.hasOwn(TABLES.metrics, name), name);
  }
});
