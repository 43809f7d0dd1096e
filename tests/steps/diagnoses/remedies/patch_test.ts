/** What the compiler refuses in a remedy: `deno check` fails where one of these lines compiles. */
import assert from "node:assert/strict";
import { STEPS } from "../../../../steps/mod.ts";
import type { Patch } from "../../../../steps/diagnoses/remedies/patch.ts";
import { OPTIONS } from "../../../../data/options.ts";
import { EVERY_REMEDY } from "./every_patch.ts";

const REFUSED: readonly Patch[] = [
  // @ts-expect-error there is no such step
  { step: "train_preferences", key: "batch_size", mul: 4 },
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
];

Deno.test("every patch names a step and a key that exist, or an option of the table", () => {
  assert.equal(REFUSED.length, 8);
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
