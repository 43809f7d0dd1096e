import assert from "node:assert/strict";
import { addToRegistry, camelCase } from "../../../../workflows/cli/scaffold/register.ts";

const TABLE = `/** Every one. @module */
import type { Thing } from "../thing.ts";
import { apple } from "./apple.ts";
import { zebra } from "./zebra.ts";

export const THINGS = {
  apple,
  zebra,
} as const satisfies Record<string, Thing>;
`;

Deno.test("addToRegistry() puts the import in order and the entry at the end of the table", () => {
  const text = addToRegistry(TABLE, "my_thing", "myThing", "mod.ts");
  assert.match(text, /apple\.ts";\nimport \{ myThing \} from "\.\/my_thing\.ts";\nimport \{ zebra \}/);
  assert.match(text, / {2}zebra,\n {2}my_thing: myThing,\n\} as const/);
  const last = addToRegistry(TABLE, "zoo", "zoo", "mod.ts");
  assert.match(last, /zebra\.ts";\nimport \{ zoo \} from "\.\/zoo\.ts";\n/);
  assert.match(last, / {2}zoo,\n\} as const/);
});

Deno.test("addToRegistry() refuses a name that is there and a file without a table", () => {
  assert.throws(() => addToRegistry(TABLE, "apple", "apple", "mod.ts"), /it imports "\.\/apple\.ts" already/);
  assert.throws(() => addToRegistry("", "apple", "apple", "mod.ts"), /it has no table/);
});

Deno.test("camelCase() of snake_case", () => {
  assert.equal(camelCase("zero_spread_2"), "zeroSpread2");
});
