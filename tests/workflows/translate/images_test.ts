/** What stays and what trains, by the names of the parameters that the models have. */
import assert from "node:assert/strict";
import { modelConfig } from "../../../gpu/models/config.ts";
import { parameterLayout } from "../../../gpu/models/parameters.ts";
import { matchParameters } from "../../../gpu/weights/layout.ts";
import { matchModules } from "../../../steps/options/target_modules.ts";
import {
  freezes,
  type Frozen,
  imageColumn,
  readsImages,
  scaledBefore,
  withoutAdapter,
} from "../../../workflows/translate/images.ts";
import type { Given } from "../../../workflows/translate/table.ts";
import type { Value } from "../../../workflows/translate/written.ts";
import { plainConfig } from "../../gpu/models/plain_config.ts";

const given = (values: Readonly<Record<string, Value>>) => ({
  value: (name: string) => values[name] ?? null,
  isWritten: (name: string) => Object.hasOwn(values, name),
} as unknown as Given);

/** The part that a parameter or module is of. */
const partOf = (name: string) =>
  name.startsWith("visual.merger.") ? "merger" : name.startsWith("visual.") ? "tower" : "text";

const PARTS = ["tower", "merger", "text"] as const;
const CASES: readonly Frozen[] = [0, 1, 2, 3, 4, 5, 6].map((bits) => ({
  tower: (bits & 1) > 0,
  merger: (bits & 2) > 0,
  text: (bits & 4) > 0,
}));

/** What `trainable` becomes where these stay. */
function trainable(stays: Frozen): readonly string[] {
  const table = freezes({ any: { parts: ["tower"], fallback: false } }, {
    frozen: () => stays,
    hasAdapter: () => false,
    lora: () => ({}),
  });
  const made = table["any"]!.make(true, given({}));
  assert("set" in made);
  return made.set["load_model.trainable"] as readonly string[];
}

for (const family of ["qwen2_vl", "qwen2_5_vl"] as const) {
  const layout = parameterLayout(modelConfig(plainConfig(family)));

  Deno.test(`freezes() and withoutAdapter() leave out the parts of ${family} that stay, and no other`, () => {
    for (const stays of CASES) {
      const parts = new Set([...matchParameters(layout, trainable(stays))].map(partOf));
      const all = layout.parameters.map(({ name }) => name).filter((name) => !stays[partOf(name)]);
      assert.deepEqual([...matchParameters(layout, trainable(stays))].sort(), all.sort(), JSON.stringify(stays));
      assert.deepEqual(PARTS.filter((part) => !parts.has(part)), PARTS.filter((part) => stays[part]));
      const excluded = withoutAdapter(stays), targets = { target_modules: "all_linear" };
      const linear = matchModules(layout, targets).linear;
      const chosen =
        matchModules(layout, excluded === null ? targets : { ...targets, exclude_modules: excluded }).linear;
      assert.deepEqual(chosen, linear.filter((name) => !stays[partOf(name)]), JSON.stringify(stays));
    }
  });
}

Deno.test("freezes() says what trains, what an adapter leaves out, and refuses to leave nothing", () => {
  const entry = (stays: Frozen | null, hasAdapter = false) =>
    freezes({ any: { parts: ["tower", "merger"], fallback: false } }, {
      frozen: () => stays,
      hasAdapter: () => hasAdapter,
      lora: () => ({ "load_model.lora": { rank: 8 } }),
      ignored: (given) => given.value("odd") === true ? "without effect there" : null,
      note: "in its old engine",
    })["any"]!;
  const both = { tower: true, merger: true };
  assert.deepEqual(entry(null).make(true, given({})), { equal: "the model reads words alone" });
  assert.deepEqual(entry(both).make(true, given({})), {
    set: { "load_model.trainable": ["!visual.*"] },
    note: "the vision tower and the merger stay as they are; in its old engine",
  });
  assert.deepEqual(entry({ tower: false, merger: false }).make(false, given({})), {
    equal: "the vision tower and the merger train",
  });
  assert.deepEqual(entry(both, true).make(true, given({})), {
    set: { "load_model.lora": { rank: 8 } },
    note: "no adapter on the vision tower and the merger; in its old engine",
  });
  assert.deepEqual(entry(both, true).make(true, given({ odd: true })), { equal: "without effect there" });
  assert.match(
    JSON.stringify(entry({ ...both, text: true }).make(true, given({}))),
    /nothing of the model would train/,
  );
  assert.match(JSON.stringify(entry(both).make("perhaps", given({}))), /it is .*perhaps.*want true or false/);
});

Deno.test("readsImages() goes by the model's name, or by options that are for images alone", () => {
  const reads = (model: string, more: Readonly<Record<string, Value>> = {}) =>
    readsImages(given({ model, ...more }), "model", ["image_max_pixels"]);
  assert(reads("Qwen/Qwen2-VL-2B-Instruct") && reads("./models/Qwen2.5-VL-3B/") && reads("qwen2_vl"));
  assert(!reads("Qwen/Qwen2.5-7B-Instruct") && !reads("./vl/Llama-3") && !reads("acme/vlad-7b"));
  assert(reads("./mine", { image_max_pixels: 1000 }) && !reads("./mine", { image_max_pixels: null }));
});

Deno.test("imageColumn() sets another column always, the usual one where images are read", () => {
  const entry = (reads: boolean) => imageColumn("images", () => reads);
  const column = { set: { "load_prompts.image_column": "pic" } };
  assert.deepEqual([entry(false).make("pic", given({})), entry(true).make("pic", given({}))], [column, column]);
  assert.deepEqual(entry(true).make("images", given({})), { set: { "load_prompts.image_column": "images" } });
  assert("equal" in entry(false).make("images", given({})));
  assert("equal" in entry(true).make(null, given({})));
});

Deno.test("scaledBefore() bounds an image by what holds after the folder's own processor", () => {
  const table = (reads: boolean) => scaledBefore({ least: ["least", 1024], most: ["most", 589824] }, () => reads);
  assert.deepEqual(table(true)["most"]!.make(262144, given({})), { set: { "load_model.max_pixels": 262144 } });
  assert.deepEqual(table(true)["least"]!.make(4096, given({})), { set: { "load_model.min_pixels": 4096 } });
  assert.match(JSON.stringify(table(true)["least"]!.make(1024, given({}))), /equal.*enlarges to 3136 all the same/);
  assert.deepEqual(table(false)["most"]!.make(1, given({})), { equal: "the model reads words alone" });
});
