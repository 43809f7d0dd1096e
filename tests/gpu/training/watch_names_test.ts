/** Nodes are named by the weight they read or follow. */
import assert from "node:assert/strict";
import { modelConfig } from "../../../gpu/models/config.ts";
import { parameterLayout } from "../../../gpu/models/parameters.ts";
import { trainGraph } from "../../../gpu/training/train_graph.ts";
import { placeOf } from "../../../gpu/training/watch_names.ts";
import { readJson } from "../safetensors.ts";

const MODELS = [
  "models/qwen2",
  "models/qwen2_vl",
  "models/qwen2_5_vl",
  ...["gemma3", "phi3", "olmo2", "granite"].map((name) => `goldens/families/${name}`),
];

for (const model of MODELS) {
  Deno.test(`placeOf() names every part of ${model}, forward and backward`, () => {
    const config = modelConfig(readJson(`${model}/config.json`)), layout = parameterLayout(config);
    const graph = trainGraph(
      {
        config,
        layout,
        adapter: null,
        shape: {
          ...{ prompts: 1, group: 2, promptTokens: 3, completionTokens: 4 },
          ...(config.vision ? { images: { count: 1, patches: 8, stage: "patches" } } : {}),
        },
        positions: 8,
        provider: "cpu",
        temperature: 1,
      },
      { objective: "cross_entropy" },
      new Set(layout.packed.map(({ name }) => name)),
      { accumulate: false },
    );
    const loss = graph.outputs.find(({ name }) => name === "loss")!.node!.inputs[0]!.node!;
    const names = graph.nodes.map((node) => placeOf(node, layout, loss));
    const count = (pattern: RegExp) => names.filter((name) => pattern.test(name)).length;
    assert.equal(count(/^gather in embedding \(model\.embed_tokens\.weight\)$/), 1);
    for (let layer = 0; layer < config.layers; layer++) {
      assert(count(new RegExp(`^softmax in attention of layer ${layer} `)) >= 1, `softmax of layer ${layer}`);
      assert(count(new RegExp(`in MLP of layer ${layer} `)) >= 3);
      // A packed name that has no words of its own would stand there as it is.
      assert.equal(count(/ in (?:post1|post2|gate_up|\w+_bias|norm\d) of layer/), 0);
      assert(count(new RegExp(`in the gradient of .*layer ${layer}`)) >= 5);
    }
    for (let block = 0; block < (config.vision?.depth ?? 0); block++) {
      assert(count(new RegExp(`^softmax in attention of block ${block} of the tower `)) >= 1);
      assert(count(new RegExp(`in MLP of block ${block} of the tower `)) >= 1);
      assert.equal(count(/ in (?:fc\d|proj|\w+_bias|norm\d) of block/), 0);
    }
    if (config.vision) {
      assert(count(/in patches of images \(visual\.patch_embed\.proj\.weight\)/) >= 1);
      assert(count(/in merger of images \(/) >= 3);
    }
    assert(count(/logits \(model\.embed_tokens\.weight\)|logits \(lm_head\.weight\)/) >= 1);
    for (const { parts } of layout.packed) {
      const gradient = `the gradient of ${parts.map(({ name }) => name).join(", ")}`;
      assert.equal(names.filter((name) => name.endsWith(`: ${gradient}`)).length, 1, gradient);
    }
  });
}
