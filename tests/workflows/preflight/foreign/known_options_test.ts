import assert from "node:assert/strict";
import { isKnown, isNameOf, knownOptions } from "../../../../workflows/preflight/foreign/known_options.ts";
import { launchesOf } from "../../../../workflows/preflight/foreign/read_launch.ts";

Deno.test("knownOptions() has a trainer's options, their second names, families and negations, of Unsloth those of TRL", () => {
  const verl = knownOptions(launchesOf("a.sh", "python3 -m verl.trainer.main_ppo trainer.nnodes=1\n")[0]!)!;
  assert(
    isKnown(verl, "trainer.total_epochs") && isKnown(verl, "critic.model.anything") &&
      !isKnown(verl, "trainer.total_epoch"),
  );
  const text =
    "from unsloth import FastModel\nfrom trl import GRPOConfig, GRPOTrainer\nGRPOTrainer(args=GRPOConfig(beta=0))\n";
  const unsloth = knownOptions(launchesOf("a.py", text)[0]!)!;
  assert(isKnown(unsloth, "beta") && isKnown(unsloth, "no_bf16") && !isKnown(unsloth, "max_new_tokens"));
});

Deno.test("isNameOf() knows the last part of a name in any trainer of a system", () => {
  assert(isNameOf("verl", "total_epochs") && isNameOf("trl", "beta"));
  assert(!isNameOf("verl", "total_epoch") && !isNameOf(null, "beta"));
});
