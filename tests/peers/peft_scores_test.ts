/** Reward models that are adapters: PEFT loads ours as one for sequence classification, and we load its own. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { modelFolder } from "../steps/contexts/model_folders.ts";
import { withRun } from "../steps/contexts/training_run.ts";
import { trlPython } from "./trl.ts";

const python = trlPython();
const why = python === null
  ? ": needs a Python with TRL and PEFT in NONZERO_PEERS_PYTHON or .venv-peers/bin/python"
  : "";
const PROMPTS = ["1+2=", "8+9="], ANSWERS = [[51, 257], [49, 55, 257]];
const LORA = { rank: 4, alpha: 16, target_modules: "all_linear" };

Deno.test({
  name: `PEFT scores by our reward model's adapter as we do, and we by one of its own in bfloat16${why}`,
  ignore: python === null,
  fn: () =>
    withRun(async (run) => {
      const base = modelFolder(run.folder, "warm_addition", { tokenizer: false });
      const [adapter, merged, rows, file] = ["adapter", "merged", "rows.json", "pairs.jsonl"].map((name) =>
        join(run.folder, name)
      );
      const pairs = Array.from({ length: 20 }, (_, i) => ({
        prompt: `${i % 10}+1=`,
        chosen: String(i % 10 + 1),
        rejected: String((i + 3) % 10),
      }));
      Deno.writeTextFileSync(file!, pairs.map((row) => JSON.stringify(row)).join("\n"));
      await run.run("load_prompts", { task: "addition", digits: 1 });
      await run.run("load_model", { model: base, lora: LORA });
      await run.run("load_preferences", { file });
      await run.run("train_reward_model", { lora: LORA, max_updates: 20, batch_size: 8, learning_rate: 1e-2 });
      const scores = () => run.resources.reward_model!.scores(PROMPTS, ANSWERS);
      const ours = await scores();
      await run.run("export_model", { what: "reward_model", folder: adapter, merge: false });
      await run.run("export_model", { what: "reward_model", folder: merged });
      Deno.writeTextFileSync(
        rows!,
        JSON.stringify(PROMPTS.map((prompt, i) => [...run.policy.encodePrompt(prompt, 0), ...ANSWERS[i]!])),
      );
      const script = new URL("peft_scores.py", import.meta.url).pathname;
      const args = [script, "--base", base, "--adapter", adapter!, "--merged", merged!, "--rows", rows!];
      const { success, stdout, stderr } = await new Deno.Command(python!, { args, stdout: "piped", stderr: "piped" })
        .output();
      const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
      assert(success, text(stderr).slice(-2000));
      const theirs = JSON.parse(text(stdout).trim().split("\n").at(-1)!) as Record<
        "adapter" | "merged" | "theirs",
        number[]
      >;
      await run.run("load_reward_model", { adapter: `${adapter}_theirs` });
      let worst = 0;
      for (
        const [want, got] of [[theirs.adapter, ours], [theirs.merged, ours], [theirs.theirs, await scores()]] as const
      ) {
        want.forEach((x, i) => worst = Math.max(worst, Math.abs(x - got[i]!)));
      }
      console.log(`PEFT's scores: largest difference ${worst.toExponential(1)}`);
      assert(worst < 1e-4, `${worst}`);
      assert(Math.abs(ours[0]! - ours[1]!) > 0.05, "the scores differ");
    }),
});
