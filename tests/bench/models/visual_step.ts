/**
 * One GRPO step by an adapter on the exact shape of Qwen2-VL-2B, its base rounded to 8 bits: a prompt with one image of
 * 448 × 448 pixels, a group of 4 completions of 32 tokens, rank 8 on every linear layer of the text. Weights are random and
 * made on the way in, so that no folder of 4.4 GB is written.
 * @module
 */
import { normals, uniform } from "../../../data/random.ts";
import { LanguageModel } from "../../../gpu/language_model.ts";
import { modelConfig } from "../../../gpu/models/config.ts";
import { promptIds } from "../../../gpu/models/vision/image_input.ts";
import { openRuntime } from "../../../gpu/session.ts";
import { storedShape } from "../../../gpu/weights/layout.ts";
import type { NamedArray } from "../../../gpu/weights/weights.ts";
import { adamw, ON_POLICY } from "../clipped_update.ts";
import { peakRssMb } from "../rows.ts";
import { rankEight } from "./adapted_model.ts";
import type { Figure, Part, TrialContext } from "./figure.ts";
import { below } from "./random_values.ts";
import { GRID, QWEN2_VL_2B, visualPatches, visualPrompt } from "./visual_shape.ts";

const GROUP = 4, NEW_TOKENS = 32, STEPS = 2, MOST_MIB = 16 * 2 ** 10;
const NO_FILTERS = { temperature: 1, topK: 0, topP: 1, minP: 0, repetitionPenalty: 1 };

/** Random numbers of a tensor, drawn as they are read; norms are 1 and biases 0. */
function drawn(name: string, shape: readonly number[], deviation: number): NamedArray {
  const isMatrix = shape.length > 1, constant = name.endsWith(".bias") ? 0 : 1, draw = below(name.length + shape[0]!);
  const read = (into: Float32Array) => {
    if (!isMatrix) return void into.fill(constant);
    // A sum of three uniforms is normal enough, of the same deviation.
    for (let i = 0; i < into.length; i++) into[i] = deviation * ((draw(65536) + draw(65536) + draw(65536)) / 32768 - 3);
  };
  return {
    shape,
    get data() {
      const values = new Float32Array(shape.reduce((a, b) => a * b, 1));
      read(values);
      return values;
    },
    read,
  };
}

async function step({ threads }: TrialContext): Promise<Figure[]> {
  const runtime = await openRuntime({ backend: "ffi", device: "cpu", threads, spinning: true });
  const base = LanguageModel.create(runtime, modelConfig(QWEN2_VL_2B.config), 8);
  const { parameters, initializerRange } = base.weights.layout;
  base.weights.fromHuggingFace(
    new Map(parameters.map((parameter) => [
      parameter.name,
      drawn(parameter.name, storedShape(parameter), initializerRange),
    ])),
  );
  const model = rankEight(base);
  let tensor = 0;
  model.weights.initialize((count) => normals(1, "adapter", count, 0, tensor++));
  const patches = visualPatches(), rows: Record<string, number>[] = [];
  for (let step = 0; step < STEPS; step++) {
    // Another image each time, or the second one would be there already.
    const image = { id: `image ${step}`, grid: GRID, patches: () => Promise.resolve(patches) };
    const prompts = [promptIds(visualPrompt(), [image])], seconds: Record<string, number> = {};
    const timed = async <T>(what: string, body: () => Promise<T>) => {
      const began = performance.now(), result = await body();
      seconds[what] = (performance.now() - began) / 1000;
      return result;
    };
    await timed("read the image", () => model.images!.rows(image, "features"));
    const uniforms = (row: number, token: number) => uniform(1, "sample", step, row, token);
    const sampled = await timed(
      "sample",
      () => model.sample(prompts, GROUP, { ...NO_FILTERS, maxNewTokens: NEW_TOKENS, eosIds: [], uniforms }),
    );
    const advantages = sampled.map((_, i) => i % 2 ? 1 : -1);
    const batch = {
      prompts,
      group: GROUP,
      completions: sampled.map(({ tokenIds }) => tokenIds),
      inputs: { advantages },
    };
    await timed("gradient", () => model.accumulateGradient(batch, { ...ON_POLICY, recompute: true }));
    await timed("update", () => model.applyUpdate(adamw(1e-5)));
    rows.push({ ...seconds, step: Object.values(seconds).reduce((a, b) => a + b, 0) });
  }
  const last = rows.at(-1)!;
  return [
    { what: "the first step, its sessions made", value: rows[0]!["step"]!, unit: "s" },
    ...Object.entries(last).map(([what, value]): Figure => ({
      what: what === "step" ? "a step" : `of it ${what}`,
      value,
      unit: "s",
    })),
    { what: "parameters", value: base.weights.layout.count, unit: "" },
    { what: "peak memory", value: peakRssMb(), unit: "MiB", most: MOST_MIB },
  ];
}

export const VISUAL_STEP: Part = {
  about: "A GRPO step by an adapter on Qwen2-VL-2B's shape with one image, its base of 8 bits",
  trials: { step },
};
