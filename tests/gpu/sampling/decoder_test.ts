import assert from "node:assert/strict";
import { Batch } from "../../../gpu/sampling/batch.ts";
import { Decoder } from "../../../gpu/sampling/decoder.ts";
import { Scope } from "../../../gpu/sampling/scope.ts";
import { LanguageModel } from "../../../gpu/language_model.ts";
import { modelConfig } from "../../../gpu/models/config.ts";
import { cpuRuntime, withModel } from "../golden_model.ts";
import { readJson, readSafetensors } from "../safetensors.ts";

const GREEDY = { greedy: true, temperature: true, topK: 0, topP: false, minP: false, repetitionPenalty: false };
const OPTIONS = {
  temperature: 0,
  topK: 0,
  topP: 1,
  minP: 0,
  repetitionPenalty: 1,
  maxNewTokens: 4,
  eosIds: [],
  uniforms: () => 0,
};

Deno.test("Decoder continues moved rows as if they had never moved, and reads a prompt as its steps would", async () => {
  await withModel("qwen2", async (model) => {
    const decoder = new Decoder(model), scope = new Scope(model.runtime);
    const prompts = [[502, 82, 88, 13], [336, 204]];
    /** Two greedy tokens per row, the cache's rows exchanged in between or not. */
    const run = async (exchanged: boolean) => {
      const logits = await decoder.prefill(prompts, 4, 8, 2, scope);
      const order = exchanged ? [1, 0] : [0, 1];
      if (exchanged) await decoder.moveRows(order, scope);
      const batch = new Batch(order, model.config, GREEDY, scope);
      order.forEach((prompt, row) => batch.setPrompt(row, prompts[prompt]!));
      await decoder.firstToken(logits, order, batch, GREEDY, OPTIONS, scope);
      const drafts = prompts.map(() => ({ tokens: [], samplerLogprobs: [], logprobs: [], ended: false }));
      batch.collect(drafts, new Set());
      batch.advance(drafts);
      await (await decoder.step(batch, GREEDY, OPTIONS, scope)).run();
      batch.collect(drafts, new Set());
      return drafts.map(({ tokens }) => tokens);
    };
    const straight = await run(false);
    assert.deepEqual(await run(true), straight);
    const longer = prompts.map((prompt, r) => [...prompt, straight[r]![0]!]);
    const logits = await decoder.prefill(longer, 5, 8, 2, scope);
    const batch = new Batch([0, 1], model.config, GREEDY, scope);
    await decoder.firstToken(logits, [0, 1], batch, GREEDY, OPTIONS, scope);
    assert.deepEqual([...batch.ids.data].map(Number), straight.map((tokens) => tokens[1]));
    scope.release();
    decoder.release();
  });
});

for (const name of ["mistral", "gemma3", "smollm3", "phi3"]) {
  Deno.test(`Decoder reads a long prompt of ${name} in parts, and goes on from it, as training reads the whole`, async () => {
    const runtime = await cpuRuntime();
    const family = new URL(`../../goldens/families/${name}`, import.meta.url).pathname;
    const json = readJson(`goldens/families/${name}/config.json`);
    // Windows of a few tokens in sequences of thousands; one prompt ends within a part, another with one.
    const config = modelConfig({
      ...json,
      max_position_embeddings: 8192,
      ...(json.sliding_window ? { sliding_window: 300 } : {}),
      ...(name === "phi3" ? { original_max_position_embeddings: 8192 } : {}),
    });
    const model = LanguageModel.create(runtime, config);
    model.weights.fromHuggingFace(readSafetensors(`${family}/model.safetensors`));
    const prompts = [1100, 4096, 3].map((count) => Array.from({ length: count }, (_, i) => 3 + (i * i + 7 * i) % 70));
    const drawn = await model.sample(prompts, 1, {
      ...OPTIONS,
      temperature: 1,
      maxNewTokens: 6,
      uniforms: (r, t) => (r + t) % 7 / 7,
    });
    for (const [r, { tokenIds, logprobs }] of drawn.entries()) {
      const whole = await model.logprobs({ prompts: [prompts[r]!], group: 1, completions: [tokenIds] });
      const off = Math.max(...whole.logprobs[0]!.map((x, t) => Math.abs(x - logprobs[t]!)));
      assert(off < 2e-5, `row ${r}: ${off}`);
    }
    model.release();
    runtime.release();
  });
}
