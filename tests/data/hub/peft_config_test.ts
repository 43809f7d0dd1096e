import assert from "node:assert/strict";
import { readPeftConfig, scalingOf, settingsApart, toPeftConfig } from "../../../data/hub/peft_config.ts";

Deno.test("scalingOf() is alpha / r, or alpha / √r, of the weight that is asked for", () => {
  const apart = new Map([["w", { rank: 16, alpha: 8 }]]), settings = { rank: 4, alpha: 8, rslora: false, apart };
  assert.deepEqual([scalingOf(settings), scalingOf(settings, "v"), scalingOf(settings, "w")], [2, 2, 0.5]);
  assert.equal(scalingOf({ ...settings, rslora: true }, "w"), 2);
});

Deno.test("settingsApart() takes the first pattern that is a name, an end of it, or matches one; no part of a word", () => {
  const modules = ["model.layers.0.q_proj", "model.layers.1.q_proj", "model.layers.10.xq_proj"];
  const of = (rank: Record<string, number>, alpha: Record<string, number> = {}) =>
    Object.fromEntries([...settingsApart(modules, { rank: 1, alpha: 1 }, rank, alpha)].map(([name, own]) => [
      name.slice(13, -7),
      [own.rank, own.alpha],
    ]));
  assert.deepEqual(of({ q_proj: 2 }), { "0.q_proj": [2, 1], "1.q_proj": [2, 1] });
  assert.deepEqual(of({ "1.q_proj": 2, q_proj: 3 }), { "0.q_proj": [3, 1], "1.q_proj": [2, 1] });
  assert.deepEqual(of({ ".*xq.*": 2 }, { "layers.0.q_proj": 5 }), { "0.q_proj": [1, 5], "10.xq_proj": [2, 1] });
  assert.deepEqual(of({ q_proj: 1 }), {});
});

Deno.test("toPeftConfig() writes what readPeftConfig() reads", () => {
  const folder = Deno.makeTempDirSync(), names = ["a.q_proj.weight", "a.v_proj.weight"];
  const described = {
    rank: 4,
    alpha: 8,
    dropout: 0.1,
    rslora: true,
    weights: names,
    whole: ["norm.weight"],
    base: "./x",
  };
  const apart = new Map([["a.q_proj.weight", { rank: 2, alpha: 8 }], ["a.v_proj.weight", { rank: 4, alpha: 3 }]]);
  Deno.writeTextFileSync(
    `${folder}/adapter_config.json`,
    JSON.stringify(toPeftConfig({ ...described, apart, task: "SEQ_CLS" })),
  );
  const { whole, rankPattern, alphaPattern, ...settings } = readPeftConfig(folder);
  assert.deepEqual(settings, { rank: 4, alpha: 8, dropout: 0.1, rslora: true });
  assert.deepEqual([whole, rankPattern, alphaPattern], [["norm"], { "a.q_proj": 2 }, { "a.v_proj": 3 }]);
  Deno.removeSync(folder, { recursive: true });
});
