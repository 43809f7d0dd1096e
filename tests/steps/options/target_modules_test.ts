/** Which modules get an adapter: held beside PEFT's choice in tests/goldens/peft/lora_targets.json. */
import assert from "node:assert/strict";
import { layerOf, matchModules } from "../../../steps/options/target_modules.ts";

interface Golden {
  /** Names of a model's parameters, with the number of their dimensions. */
  readonly models: Readonly<Record<string, readonly (readonly [name: string, dimensions: number])[]>>;
  readonly cases: readonly {
    readonly model: string;
    readonly options: Parameters<typeof matchModules>[1];
    /** What PEFT put an adapter on; null where it refused. */
    readonly matched: readonly string[] | null;
  }[];
}

const GOLDEN = JSON.parse(
  Deno.readTextFileSync(new URL("../../goldens/peft/lora_targets.json", import.meta.url)),
) as Golden;

for (const [model, parameters] of Object.entries(GOLDEN.models)) {
  Deno.test(`matchModules() chooses of ${model} what PEFT 0.21 chose, and refuses what it refused`, () => {
    const layout = {
      // The head of tied embeddings is no parameter, and still a module.
      repeated: parameters.some(([name]) => /lm_head|score/.test(name)) ? [] : ["lm_head.weight"],
      parameters: parameters.map(([name, dimensions]) => ({
        name,
        shape: Array(dimensions).fill(2),
        offset: 0,
        size: 0,
      })),
    };
    const cases = GOLDEN.cases.filter((one) => one.model === model);
    assert(cases.length >= 10);
    for (const { options, matched } of cases) {
      const { linear, others } = matchModules(layout, options);
      const got = others.length > 0 || linear.length === 0 ? null : [...linear].sort();
      // Not supported here and refused by name: an adapter on the embedding, or on the head that is one.
      const ours = matched?.some((name) => name === "model.embed_tokens" || layout.repeated.includes(`${name}.weight`));
      assert.deepEqual(got, matched === null || ours ? null : [...matched].sort(), JSON.stringify(options));
    }
  });
}

Deno.test("layerOf() reads the first number after a list's name, or after the name that is given", () => {
  assert.equal(layerOf("model.layers.3.mlp.experts.5.up_proj"), 3);
  assert.equal(layerOf("model.layers.3.mlp.experts.5.up_proj", "experts"), 5);
  assert.equal(layerOf("model.layers.3.mlp.experts.5.up_proj", ["none", "layers"]), 3);
  for (const name of ["lm_head", "model.layers.3", "layers.3.mlp"]) assert(Number.isNaN(layerOf(name)), name);
});
