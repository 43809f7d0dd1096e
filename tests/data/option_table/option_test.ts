import assert from "node:assert/strict";
import { OPTIONS } from "../../../data/options.ts";
import type { Option } from "../../../data/option_table/option.ts";

Deno.test("an Option names a system's word at most once", () => {
  for (const [name, { names }] of Object.entries(OPTIONS) as [string, Option][]) {
    for (const list of Object.values(names)) assert.equal(new Set(list).size, list.length, name);
  }
});
