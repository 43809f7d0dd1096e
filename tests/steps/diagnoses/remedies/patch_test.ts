/** What the compiler refuses in a remedy: `deno check` fails where one of these lines compiles. */
import assert from "node:assert/strict";
import { STEPS } from "../../../../steps/mod.ts";
import type { z } from "zod";
import type { Change, Patch } from "../../../../steps/diagnoses/remedies/patch.ts";
import { OPTIONS } from "../../../../data/options.ts";
import { EVERY_REMEDY } from "./every_patch.ts";

const REFUSED: readonly Patch[] = [
  // @ts-expect-error there is no such step
  { step: "train_nothing", key: "batch_size", mul: 4 },
  // @ts-expect-error fine_tune has no such key
  { step: "fine_tune", key: "epochs", set: 1 },
  // @ts-expect-error the key is another step's
  { step: "apply_update", key: "max_new_tokens", mul: 2 },
  // @ts-expect-error no such option in the table
  { option: "learnig_rate", set: 1 },
  // @ts-expect-error a list, not a text
  { step: "load_model", key: "trainable", set: "*" },
  // @ts-expect-error not one of its values
  { step: "score_rewards", key: "on_error", set: "ignore" },
  // @ts-expect-error a flag has no factor
  { step: "sample_groups", key: "mask_truncated", mul: 2 },
  // @ts-expect-error only learning rates have a usual value
  { step: "apply_update", key: "kl_coef", usual: true },
  // @ts-expect-error an option that is a step's parameter too has its type
  { option: "learning_rate", set: "banana" },
  // @ts-expect-error a flag of other systems has no factor
  { option: "kl_in_loss", mul: 3 },
  // @ts-expect-error two changes in one
  { step: "compute_advantages", key: "estimator", set: "grpo", least: 3 },
  // @ts-expect-error two changes in one
  { step: "apply_update", key: "kl_coef", set: 0.1, mul: 2 },
  // @ts-expect-error nobody says what its values are
  { option: "gradient_checkpointing", set: true },
];

Deno.test("every patch names a step and a key that exist, or an option of the table", () => {
  assert.equal(REFUSED.length, 13);
  for (const [cause, patches] of EVERY_REMEDY) {
    for (const patch of patches) {
      if ("option" in patch) assert(Object.hasOwn(OPTIONS, patch.option), `${cause}: ${patch.option}`);
      else {
        const { shape } = STEPS[patch.step].params;
        assert(Object.hasOwn(shape, patch.key), `${cause}: ${patch.step} has no key ${patch.key}`);
      }
    }
  }
});

/** What a step says of a value under one of its keys; null where it takes it. */
function refusal(step: keyof typeof STEPS, key: string, value: unknown): string | null {
  const schema = (STEPS[step].params.shape as Readonly<Record<string, z.ZodType>>)[key]!;
  const { success, error } = schema.safeParse(value);
  return success ? null : `${step}.${key} ${JSON.stringify(value)}: ${error.issues[0]!.message}`;
}

Deno.test("every value that a patch sets, and every bound, is one that the step takes", () => {
  let seen = 0;
  for (const [cause, patches] of EVERY_REMEDY) {
    for (const patch of patches) {
      if ("option" in patch) continue;
      const { set, where, least, min, max }: Change = patch;
      for (const value of [set, where, least, min, max].filter((value) => value !== undefined)) {
        seen++;
        assert.equal(refusal(patch.step, patch.key, value), null, cause);
      }
    }
  }
  assert(seen > 20, String(seen));
});

Deno.test("refusal() sees a number that the compiler lets through", () => {
  const outside: Patch = { step: "sample_groups", key: "top_p", set: 17 };
  assert.match(refusal(outside.step, outside.key, outside.set)!, /^sample_groups\.top_p 17: Too big/);
});
