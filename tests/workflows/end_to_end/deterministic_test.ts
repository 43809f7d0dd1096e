/** `deterministic: true`: a row's numbers are the same bits whatever batch it is in. */
import assert from "node:assert/strict";
import { lists, withTinyPolicy } from "../../steps/contexts/training_run.ts";

const GIVEN = { prompts_per_step: 16, group_size: 2, max_new_tokens: 6, temperature: 0.9 };

Deno.test("with deterministic: true sampled tokens and log-probs are bitwise independent of the batch", () =>
  withTinyPolicy(
    async (run) => {
      await run.run("fine_tune", { max_updates: 20, batch_size: 32, learning_rate: 3e-3 });
      run.tables.advance();
      const sampled = async (rows_at_once: number) => {
        await run.run("sample_groups", { ...GIVEN, rows_at_once });
        const table = run.tables.table("completions");
        return ["token_ids", "sampler_logprobs", "ref_logprobs"].map((name) => lists(table, name));
      };
      const whole = await sampled(0);
      for (const rows of [2, 4, 16]) assert.deepEqual(await sampled(rows), whole, `${rows} rows at once`);
    },
    { reference: "copy" },
    { deterministic: true },
  ));

Deno.test("with deterministic: true the log-probs of a row are bitwise the same alone and among others", () =>
  withTinyPolicy(
    async (run) => {
      const prompts = ["1+2=", "3+4=", "5+6=", "7+8=", "9+9="];
      const completions = prompts.map((_, i) => Array.from({ length: 4 }, (_, t) => (31 * i + 7 * t) % 250));
      const read = async (first: number, count: number) => {
        const part = run.policy.sequences(prompts.slice(first, first + count), completions.slice(first, first + count));
        return (await run.policy.model.logprobs(part)).logprobs;
      };
      const whole = await read(0, prompts.length);
      for (const size of [1, 2, 3, 4]) {
        for (let first = 0; first + size <= prompts.length; first++) {
          assert.deepEqual(
            await read(first, size),
            whole.slice(first, first + size),
            `rows ${first} to ${first + size}`,
          );
        }
      }
    },
    {},
    { deterministic: true },
  ));
