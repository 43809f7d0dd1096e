/** Each family computes what transformers computes: goldens of random tiny models, made by tests/peers/families.py. */
import assert from "node:assert/strict";
import { FAMILIES } from "../../../gpu/models/families.ts";
import { cpuRuntime } from "../golden_model.ts";
import { readJson } from "../safetensors.ts";
import { LanguageModel } from "../../../gpu/language_model.ts";
import { batchOf, differences, type FamilyGolden, withFamily } from "./family_golden.ts";
import { VISION_CASES } from "./vision/vision_golden.ts";

const ROOT = new URL("../../goldens/families/", import.meta.url);
const CASES = [...Deno.readDirSync(ROOT)].map(({ name }) => name).sort();

Deno.test("FAMILIES has a golden for every family, and no golden is of another", () => {
  const folders = CASES.map((name) => `goldens/families/${name}`);
  // Those that read images are held by vision/tower_test.ts.
  for (const { model } of Object.values(VISION_CASES)) folders.push(`models/${model}`);
  const types = new Set(folders.map((folder) => readJson(`${folder}/config.json`).model_type));
  assert.deepEqual([...types].sort(), Object.keys(FAMILIES).sort());
});

async function withCase(
  name: string,
  body: (model: LanguageModel, golden: FamilyGolden) => Promise<void>,
): Promise<void> {
  const runtime = await cpuRuntime();
  try {
    await withFamily(runtime, new URL(name, ROOT).pathname, body);
  } finally {
    runtime.release();
  }
}

for (const name of CASES) {
  Deno.test(`${name}: logits, log-probs, gradients and greedy ids by the cache are those of transformers`, async () => {
    await withCase(name, async (model, golden) => {
      const off = await differences(model, golden);
      // Goldens hold six digits of a logit.
      assert(off.logits < 1e-4, `logits differ by ${off.logits}`);
      assert(off.logprobs < 1e-5, `log-probs differ by ${off.logprobs}`);
      assert(off.greedy < 1e-5, `log-probs of decoding differ by ${off.greedy}`);
      assert(off.gradients < 2e-5, `gradients differ by ${off.gradients} of their norm`);
    });
  });
}

function close(a: readonly ArrayLike<number>[], b: readonly ArrayLike<number>[], most: number, what: string): void {
  assert.deepEqual(a.map(({ length }) => length), b.map(({ length }) => length));
  a.forEach((row, r) =>
    Array.from(row).forEach((x, i) =>
      assert(Math.abs(x - b[r]![i]!) < most, `${what} ${r}, ${i}: ${x} and ${b[r]![i]}`)
    )
  );
}

for (const name of ["qwen2", "mistral", "smollm3", "phi3", "gemma2", "gemma3", "olmo2"]) {
  Deno.test(`${name}: a prompt shared by a group, and rows that hold several sequences, are what each is by itself`, async () => {
    await withCase(name, async (model, golden) => {
      const { prompts, completions } = batchOf(golden), [prompt] = prompts;
      const alone = async (prompt: number[], completion: number[]) =>
        (await model.logprobs({ prompts: [prompt], group: 1, completions: [completion] })).logprobs[0]!;
      const shared = await model.logprobs({ prompts: [prompt!], group: completions.length, completions });
      close(shared.logprobs, await Promise.all(completions.map((one) => alone(prompt!, one))), 2e-5, "completion");

      // One prompt with its completion, then two more sequences of their own in the same row.
      const rows = [completions[0]!, completions[1]!, prompts[2]!], packed = rows.flat();
      const segments = rows.flatMap((row, i) => row.map(() => i));
      const batch = { prompts: [prompt!], group: 1, completions: [packed], segments: [segments] };
      const [got] = (await model.logprobs(batch)).logprobs;
      let at = 0;
      for (const [i, row] of rows.entries()) {
        // What stands before the first token of a later sequence is another's: no prediction of it counts.
        const first = i === 0 ? 0 : 1, before = i === 0 ? prompt! : row.slice(0, 1), own = row.slice(first);
        close([got!.slice(at + first, at + row.length)], [await alone(before, own)], 2e-5, `sequence ${i}`);
        at += row.length;
      }
    });
  });
}

for (const name of ["gemma2", "granite", "llama"]) {
  Deno.test(`${name}: a temperature divides the logits as they are at last`, async () => {
    await withCase(name, async (model, golden) => {
      const { prompt, completion } = golden.rows[0]!, temperature = 0.6;
      const { logprobs: [got] } = await model.logprobs({ prompts: [prompt], group: 1, completions: [completion] }, {
        temperature,
      });
      const want = completion.map((id, t) => {
        const row = golden.logits[prompt.length - 1 + t]!.map((x) => x / temperature);
        return row[id]! - Math.log(row.reduce((sum, x) => sum + Math.exp(x), 0));
      });
      close([got!], [want], 1e-4, "log-prob of row");
    });
  });
}

Deno.test("phi3_long: cutting a batch changes nothing, and training reads a rollout as it was sampled", async () => {
  await withCase("phi3_long", async (model) => {
    const { originalPositions } = model.config.rope.scaling as { originalPositions: number };
    const prompts = [[3, 4], [5, 6, 7, 8, 9, 10, 11]], group = 2;
    const completions = [[12, 13], [14, 15, 16], [17, 18, 19], [20, 21]];
    assert(prompts[0]!.length + completions[1]!.length <= originalPositions, "short rows");
    assert(prompts[1]!.length + completions[2]!.length > originalPositions, "long rows");
    const sequences = { prompts, group, completions },
      settings = {
        loss: { objective: "cross_entropy" },
        aggregation: "token_mean",
        temperature: 1,
      } as const;
    const read = async (promptsPerPass?: number) => {
      const { logprobs } = await model.logprobs(sequences, { promptsPerPass });
      const { loss } = await model.accumulateGradient({ ...sequences, inputs: {} }, { ...settings, promptsPerPass });
      const gradients = [...model.weights.namedGradients().values()].map(({ data }) => data.slice());
      await model.applyUpdate({
        learningRate: 0,
        beta1: 0.9,
        beta2: 0.99,
        epsilon: 1e-8,
        weightDecay: 0,
        maxNorm: 0,
      });
      return { logprobs, loss, gradients };
    };
    const whole = await read(), cut = await read(1);
    close(whole.logprobs, cut.logprobs, 2e-6, "completion");
    assert(Math.abs(whole.loss - cut.loss) < 1e-6, `loss ${whole.loss} and ${cut.loss}`);
    close(whole.gradients, cut.gradients, 1e-5, "gradient");

    // The second prompt makes all rows long; alone the first is short unless its tokens to come are many.
    for (const [asked, maxNewTokens] of [[prompts, 5], [[prompts[0]!], 4], [[prompts[0]!], 5]] as const) {
      const options = { temperature: 1, topK: 0, topP: 1, minP: 0, repetitionPenalty: 1, eosIds: [5, 20, 40, 60, 70] };
      const uniforms = (row: number, token: number) => (row * 0.37 + token * 0.61 + 0.05) % 1;
      const drawn = await model.sample(asked, 3, { ...options, maxNewTokens, uniforms, rowsAtOnce: 3 });
      const positions = Math.max(...asked.map(({ length }) => length)) + maxNewTokens;
      const tokens = drawn.map(({ tokenIds }) => tokenIds);
      for (const promptsPerPass of [1, 2]) {
        const read = { prompts: asked, group: 3, completions: tokens, positions };
        const { logprobs } = await model.logprobs(read, { promptsPerPass });
        close(drawn.map(({ samplerLogprobs }) => samplerLogprobs), logprobs, 1e-5, "completion");
      }
    }
  });
});

Deno.test("granite: its factors reach an adapter too: the sampler draws from what the trainer computes", () =>
  withCase("granite", async (base) => {
    const targets = new Set(
      base.weights.layout.parameters.flatMap(({ name }) => name.endsWith("_proj.weight") ? [name] : []),
    );
    const plan = { rank: 2, alpha: 4, rslora: false, scaling: 2, dropout: 0, targets, saved: new Set<string>() };
    const model = LanguageModel.adapt(base, plan, null), { values, layout } = model.weights;
    values.upload(Float32Array.from({ length: layout.size }, (_, i) => 0.3 * Math.sin(i)));
    const prompts = [[3, 4, 5], [6]].map((ids) => Int32Array.from(ids)), group = 2;
    const filters = { temperature: 1, topK: 0, topP: 1, minP: 0, repetitionPenalty: 1 };
    const options = {
      ...filters,
      maxNewTokens: 5,
      eosIds: [],
      uniforms: (row: number, t: number) => (row * 0.37 + t * 0.61) % 1,
    };
    const sampled = await model.sample(prompts, group, options);
    const completions = sampled.map(({ tokenIds }) => tokenIds);
    const { logprobs } = await model.logprobs({ prompts, group, completions });
    close(sampled.map(({ samplerLogprobs }) => samplerLogprobs), logprobs, 1e-4, "log-prob");
  }));
