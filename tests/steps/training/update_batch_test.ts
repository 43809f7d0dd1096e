import assert from "node:assert/strict";
import type { RolloutLoss } from "../../../gpu/losses/objective.ts";
import { tieOrder } from "../../../gpu/losses/tie_order.ts";
import { updateBatch } from "../../../steps/training/update_batch.ts";
import { withModel } from "../../gpu/golden_model.ts";

const BATCH = {
  prompts: [[5, 6, 7]],
  group: 2,
  completions: [[9, 10, 503], [11, 503]],
  completionMask: [[1, 1, 0], [1, 1]],
  inputs: { advantages: [1, -1] },
};
const LOSS: RolloutLoss = { objective: "clipped", onPolicy: true, kl: null };
const REQUEST = {
  loss: LOSS,
  topEntropyFraction: 0.5,
  passes: { temperature: 2 },
  draws: { seed: 1, trainStep: 3, update: 1 },
};

Deno.test("updateBatch() marks the tokens of highest entropy at the rollout's temperature", () =>
  withModel("qwen2", async (model) => {
    const { inputs } = await updateBatch(model, BATCH, { ...REQUEST, loss: { ...LOSS, topEntropy: true } });
    const mask = inputs!["entropy_mask"] as Float32Array[];
    const { statistics } = await model.logprobs(BATCH, { temperature: 2, statistics: ["entropy"] });
    const entropy = statistics.get("entropy")!;
    const counted = [entropy[0]![0]!, entropy[0]![1]!, entropy[1]![0]!, entropy[1]![1]!].toSorted((a, b) => a - b);
    const kept = mask.flatMap((row, r) => [...row].flatMap((m, t) => m ? [entropy[r]![t]!] : []));
    assert.deepEqual(kept.toSorted((a, b) => a - b), counted.slice(2));
    assert.equal(mask[0]![2], 0);
  }));

Deno.test("updateBatch() draws for clip_cov alone, the same numbers for the same update and others for another", () =>
  withModel("qwen2", async (model) => {
    assert.deepEqual(await updateBatch(model, BATCH, REQUEST), BATCH);
    const loss = { ...LOSS, objective: "clip_cov" };
    const draw = async (other: Partial<typeof REQUEST.draws>) =>
      (await updateBatch(model, BATCH, { ...REQUEST, loss, draws: { ...REQUEST.draws, ...other } })).inputs!["draws"];
    assert.deepEqual(await draw({}), await draw({}));
    for (const other of [{ update: 2 }, { trainStep: 4 }, { seed: 2 }]) {
      assert.notDeepEqual(await draw({}), await draw(other), JSON.stringify(other));
    }
  }));

Deno.test("updateBatch() orders equal tokens for kl_cov alone, by its fraction and the mask", () =>
  withModel("qwen2", async (model) => {
    const loss = { ...LOSS, objective: "kl_cov", fraction: 0.01 } as RolloutLoss;
    const { inputs } = await updateBatch(model, BATCH, { ...REQUEST, loss });
    assert.deepEqual(inputs!["tie_order"], tieOrder(BATCH.completionMask, 0.01));
  }));
