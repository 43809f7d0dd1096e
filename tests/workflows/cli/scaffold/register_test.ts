import assert from "node:assert/strict";
import {
  addDefaultToRegistry,
  addToChinese,
  addToOrder,
  addToRegistry,
  addToSigns,
  camelCase,
} from "../../../../workflows/cli/scaffold/register.ts";

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

Deno.test("addDefaultToRegistry() imports what a file exports as its default", () => {
  const text = addDefaultToRegistry(TABLE, "my_thing", "myThing", "mod.ts");
  assert.match(text, /apple\.ts";\nimport myThing from "\.\/my_thing\.ts";\nimport \{ zebra \}/);
  assert.match(text, / {2}zebra,\n {2}my_thing: myThing,\n\} as const/);
});

Deno.test("addToRegistry() refuses a name that is there and a file without a table", () => {
  assert.throws(() => addToRegistry(TABLE, "apple", "apple", "mod.ts"), /it imports "\.\/apple\.ts" already/);
  assert.throws(() => addToRegistry("", "apple", "apple", "mod.ts"), /it has no table/);
});

Deno.test("camelCase() of snake_case", () => {
  assert.equal(camelCase("zero_spread_2"), "zeroSpread2");
});

Deno.test("addToRegistry() leaves a comment for the linter at the end of the table", () => {
  const linted = TABLE.replace("} as const", "  // deno-lint-ignore no-explicit-any\n} as const");
  assert.match(addToRegistry(linted, "zoo", "zoo", "mod.ts"), / {2}zoo,\n {2}\/\/ deno-lint-ignore .*\n\} as const/);
});

Deno.test("addToOrder() puts a cause before benign_zero_loss, and refuses a file without that", () => {
  const text = "export const ORDER = {\n  apple: [],\n  benign_zero_loss: [],\n};\n";
  assert.match(addToOrder(text, "zoo", "zoo", "decide.ts"), / {2}apple: \[\],\n {2}zoo: \[\],\n {2}benign_zero_loss/);
  assert.throws(() => addToOrder("", "zoo", "zoo", "decide.ts"), /ORDER has no line "benign_zero_loss: \[\],"/);
});

Deno.test("addToSigns() puts a cause with a look before benign_zero_loss, and refuses a file without that", () => {
  const text = 'const SIGNS = {\n  apple: {},\n  benign_zero_loss: { print_each_step: "x" },\n};\n';
  assert.match(
    addToSigns(text, "zoo", "zoo", "signs.ts"),
    /apple: \{\},\n {2}zoo: \{ print_each_step: .* \},\n {2}benign/,
  );
  assert.throws(() => addToSigns("", "zoo", "zoo", "signs.ts"), /SIGNS has no line "benign_zero_loss"/);
});

Deno.test("addToChinese() puts a cause before benign_zero_loss, and refuses a file without that", () => {
  const text = 'const CAUSES_ZH = {\n  apple: "x",\n  benign_zero_loss: "y",\n};\n';
  assert.match(addToChinese(text, "zoo", "zoo", "causes_zh.ts"), /apple: "x",\n {2}zoo: ".+",\n {2}benign/);
  assert.throws(() => addToChinese("", "zoo", "zoo", "causes_zh.ts"), /CAUSES_ZH has no line "benign_zero_loss"/);
});

Deno.test("addToRegistry() quotes a name with a room, and camelCase() makes one word of it", () => {
  const text = addToRegistry(TABLE, "visual/iou", camelCase("visual/iou"), "mod.ts");
  assert.match(text, /import \{ visualIou \} from "\.\/visual\/iou\.ts";\nimport \{ zebra \}/);
  assert.match(text, / {2}zebra,\n {2}"visual\/iou": visualIou,\n\} as const/);
});
