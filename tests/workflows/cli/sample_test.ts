import assert from "node:assert/strict";
import { openRunFolder } from "../../../data/open_run_folder.ts";
import { RUN_A, withRuns } from "./fabricated_run.ts";
import { inProcess, jsonLines } from "./in_process.ts";
import { withTinyRun } from "./tiny_run.ts";

Deno.test("sample draws the same completions for the same seed, greedy ones alike, rewards by the run's verifier", () =>
  withTinyRun(async (_, runs) => {
    const sample = async (...args: readonly string[]) => {
      const { code, out, err } = await inProcess(
        ["sample", "last", "--prompt", "1+2=", "--answer", "3", "--runs", runs, ...args],
      );
      assert.equal(code, 0, err);
      return out;
    };
    const drawn = await sample("-n", "4", "--seed", "7", "--json");
    assert.equal(await sample("-n", "4", "--seed", "7", "--json"), drawn);
    const rows = jsonLines(drawn);
    assert.equal(rows.length, 4);
    for (const { completion, reward, logprobs, token_ids, logprob } of rows) {
      assert.equal(reward, completion === "3" ? 1 : 0);
      assert.equal((logprobs as number[]).length, (token_ids as number[]).length);
      assert(Math.abs((logprobs as number[]).reduce((a, b) => a + b, 0) - (logprob as number)) < 1e-9);
    }
    const greedy = jsonLines(await sample("-n", "3", "--temperature", "0", "--max-new-tokens", "2", "--json"));
    assert.equal(new Set(greedy.map(({ completion }) => completion)).size, 1);
    assert(greedy.every(({ tokens }) => (tokens as number) <= 2));
    const table = (await sample("-n", "2")).trimEnd().split("\n");
    assert.match(table[0]!, /^prompt +completion +tokens +log-prob +answer +reward$/);
    assert.equal(table.length, 3);
  }));

Deno.test("sample without a prompt asks a held-out prompt of the run, and knows its answer", () =>
  withTinyRun(async ({ folder }, runs) => {
    const { code, out, err } = await inProcess(["sample", "last", "-n", "2", "--json", "--runs", runs]);
    assert.equal(code, 0, err);
    const rows = openRunFolder(folder).table("prompts").objects() as Record<string, unknown>[];
    const held = rows.find(({ split }) => split === "held_out")!;
    for (const { prompt, answer, completion, reward } of jsonLines(out)) {
      assert.deepEqual([prompt, answer], [held["prompt"], held["answer"]]);
      assert.equal(reward, completion === answer ? 1 : 0);
    }
    const other = await inProcess(["sample", "last", "-n", "1", "--prompt", "2+2 is?", "--json", "--runs", runs]);
    assert(!("reward" in jsonLines(other.out)[0]!));
  }));

const REFUSED: readonly (readonly [args: readonly string[], message: RegExp])[] = [
  [[], /want --prompt TEXT/],
  [["--prompt", "a", "-n", "0"], /read -n: it is "0", want a whole number at least 1/],
  [["--prompt", "a", "--temperature", "warm"], /--temperature: it is "warm", want a number at least 0/],
  [["--prompt", "a", "--top-p", "0"], /--top-p: it is "0", want a number above 0 and at most 1/],
];
for (const [args, message] of REFUSED) {
  Deno.test(`sample refuses ${JSON.stringify(args)}, exit 2`, () =>
    withRuns(async (runs) => {
      const { code, err } = await inProcess(["sample", RUN_A, "--runs", runs, ...args]);
      assert.match(err, message);
      assert.equal(code, 2);
    }));
}
