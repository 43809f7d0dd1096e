import assert from "node:assert/strict";
import { OPTIMIZER_OPTIONS } from "../../../data/option_table/optimizer.ts";
import { UPDATE_OPTIONS } from "../../../data/option_table/update.ts";

Deno.test("OPTIMIZER_OPTIONS shares no option with UPDATE_OPTIONS, and each has a sentence", () => {
  for (const [name, { about, names }] of Object.entries(OPTIMIZER_OPTIONS)) {
    assert(!Object.hasOwn(UPDATE_OPTIONS, name), name);
    assert(about.length > 5 && Object.values(names).some((list) => list.length > 0), name);
  }
});
