/** The rule greedy_sampling: its fault and its look-alikes. */
import assert from "node:assert/strict";
import { diagnoseRun } from "../../../steps/diagnoses/diagnose_run.ts";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { flat, group, healthyBut, ramp, testRule, viewOf } from "./synthetic.ts";

/** A run of ours at 0.6 nats per token whose groups have one text each. */
function alike(groups: number, size: number, accuracy: number, tokens: number) {
  return {
    ...healthyBut({
      zero_spread_fraction: flat(0.9),
      entropy: flat(0.6),
      accuracy: flat(accuracy),
      "reward.accuracy_reward": [],
    }, {
      completions: Array.from({ length: groups }, (_, i) => `prompt ${i}`).flatMap((prompt, i) =>
        group(prompt, Array(size).fill(`answer ${i}`), flat(1, size), { tokens })
      ),
    }),
    own: true,
  };
}

/** A log of detection whose groups all tie: no text, no entropy. */
function tied(iou: readonly number[], more: object = {}) {
  return {
    system: "visual-rft" as const,
    columns: {
      loss: flat(0),
      grad_norm: flat(0),
      kl: flat(0),
      reward: iou.map((value) => value + 1),
      reward_std: flat(0),
      "reward.accuracy_reward_iou": iou,
      "reward.format_reward": flat(1),
      ...more,
    },
  };
}

/** IoUs that no fraction of whole rewards explains, from .2 to .6. */
const IOUS = flat(0).map((_, i) => 0.2 + 0.4 * ((i * 0.6180339887498949) % 1));

/** A log of classes whose groups all tie, four of them on a record: no text, no entropy. */
const CLASSES = (length: (record: number) => number) => ({
  system: "visual-rft" as const,
  columns: {
    loss: flat(0),
    grad_norm: flat(0),
    kl: flat(0),
    completion_length: flat(0).map((_, i) => length(i)),
    reward: flat(0).map((_, i) => 1.25 + 0.25 * (i % 3)),
    reward_std: flat(0),
    "reward.accuracy_reward": flat(0).map((_, i) => 0.25 + 0.25 * (i % 3)),
    "reward.format_reward": flat(1),
  },
});

testRule("greedy_sampling", {
  fires: {
    "classes whose lengths tie as their rewards do": CLASSES((i) => 80 + 0.25 * ((i * 7) % 40)),
    "an IoU that ties in every group, from the first record to the last": tied(IOUS),
    "an IoU that ties in every group beside a confidence that is high, and records without one right box": tied(
      IOUS.map((value, i) => i % 3 === 0 ? 0 : value),
      { "reward.accuracy_reward_confidence": flat(0.9) },
    ),
    "temperature 0.01 and flat groups": healthyBut({ zero_spread_fraction: flat(1), grad_norm: flat(0) }, {
      settings: { temperature: 0.01, top_p: 0.001 },
    }),
    "a near-greedy model folder beside a visual run": {
      system: "visual-rft",
      model: { temperature: 0.01, top_k: 1, top_p: 0.001 },
      columns: { reward: flat(1.5), group_reward_std: flat(0), loss: flat(0), grad_norm: flat(0) },
    },
    "identical texts at a living entropy": healthyBut({ zero_spread_fraction: flat(1) }, {
      completions: ["a", "b", "c", "d"].flatMap((prompt) =>
        group(prompt, Array(8).fill(`answer to ${prompt}`), flat(1, 8))
      ),
    }),
    "identical texts in eight groups of eight in a run of ours at a living entropy": alike(8, 8, 0.3, 6),
  },
  silent: {
    "an accuracy of 0 and 1 that ties in every group": tied(IOUS.map((value) => Math.round(value * 64) / 64)),
    "an IoU whose groups differ on one record": tied(IOUS, { reward_std: flat(0).map((_, i) => i === 4 ? 0.1 : 0) }),
    "an IoU that ties beside an entropy that is told": tied(IOUS, { entropy: flat(0.02) }),
    "a few small groups of a run of ours, alike by luck": alike(4, 4, 0.3, 2),
    "a run of ours without its completions: nothing says how many alike there were": {
      ...alike(0, 8, 0.3, 6),
      columns: { ...alike(0, 8, 0.3, 6).columns, unique_fraction: flat(0.125) },
    },
    "a run of ours whose weights broke at the last train step: its texts are those of NaN": {
      ...alike(8, 8, 0.3, 6),
      columns: { ...alike(8, 8, 0.3, 6).columns, entropy: [...flat(0.6).slice(0, -1), NaN] },
    },
    "a run of ours that is right nearly always": alike(8, 8, 0.98, 6),
    "the same setting where groups have spread": healthyBut({ zero_spread_fraction: flat(0.1) }, {
      settings: { temperature: 0.01 },
    }),
    "classes that tie with lengths that differ within groups": CLASSES((i) => 80 + 0.03125 * ((i * 77) % 400)),
    "classes that tie with answers of one length": CLASSES(() => 7),
    "greedy validation": healthyBut({}, {
      system: "verl",
      settings: { "actor_rollout_ref.rollout.val_kwargs.temperature": 0 },
    }),
    "a cold model folder that the run overrides": { model: { temperature: 0.01 }, settings: { temperature: 1.0 } },
  },
});

Deno.test("greedy_sampling of a foreign log is no policy that loses its entropy, and with it all texts but one", () => {
  const said = (unique: readonly number[], entropy: readonly number[]) =>
    DIAGNOSES.greedy_sampling.check(
      viewOf(healthyBut({ unique_fraction: unique, entropy }, { settings: { num_generations: 4 } })),
    );
  assert.equal(said(ramp(0.9, 0.25, 30, 0), ramp(0.6, 0.01, 30, 0)), null);
  assert.equal(
    said(ramp(0.9, 0.25, 30, 0).map((value, i) => i < 20 ? value : 0.25), flat(0.5) as number[]),
    null,
    "from the start",
  );
  assert.notEqual(said(flat(0.25) as number[], flat(0.5) as number[]), null);
  assert.equal(said(flat(0.25) as number[], ramp(0.6, 0.01, 30, 0)), null, "at the end it has none");
});

Deno.test("greedy_sampling asks for the model's folder where the trainer reads no option of sampling", () => {
  const remedy = (run: object) => diagnoseRun(viewOf({ ...tied(IOUS), ...run })).findings[0]!.remedy;
  const folder = remedy({});
  assert.deepEqual(folder.options, []);
  assert(folder.by_hand!.includes("generation_config.json of the model's folder"), folder.by_hand);
  assert.deepEqual(remedy({ settings: { use_vllm: true } }).options, ["visual-rft: --temperature 1"]);
  assert(remedy({ system: "trl" }).options.includes("trl: temperature=1"));
});

Deno.test("greedy_sampling cites the deviation that the log prints", () => {
  const { "reward_std": _, ...columns } = tied(IOUS).columns;
  const found = DIAGNOSES.greedy_sampling.check(
    viewOf({ ...tied(IOUS), columns: { ...columns, group_reward_std: flat(0) } }),
  );
  assert(
    found !== null && "evidence" in found && found.evidence.every(({ value }) => value !== null),
    JSON.stringify(found),
  );
});
