/** The doctor judges what was sampled, not what a filter of groups left. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { listen } from "../../bench/faults.ts";
import { withFolder } from "../engine/fake_runs.ts";

const CLEAN = fileURLToPath(new URL("../../../workflows/library/failures/clean/grpo.yaml", import.meta.url));
const MODEL = fileURLToPath(new URL("../../models/warm_addition", import.meta.url));

/** Ties every group at a level of its own: 0.2 to 0.6, by the answer. */
const BY_PROMPT = `export default ({ answers }) => answers.map((answer) => 0.2 + 0.1 * (Number(answer) % 5));\n`;

/** The causes that a healthy run with these steps is given. */
async function said(folder: string, filter: string, reward: string, trainSteps: number): Promise<string[]> {
  const text = Deno.readTextFileSync(CLEAN)
    .replace("../../../../tests/models/warm_addition", MODEL)
    .replace("rewards: [{ uses: verifier }]", `rewards: [{ uses: ${reward} }]`)
    .replace(/( +)- \{ uses: compute_advantages/, `${filter}$1- { uses: compute_advantages`);
  const file = join(folder, "filtered.yaml");
  Deno.writeTextFileSync(file, text);
  Deno.writeTextFileSync(join(folder, "by_prompt.js"), BY_PROMPT);
  const { alarms, reason } = await listen(file, { seed: 2, train_steps: trainSteps }, folder);
  assert(trainSteps < 20 || reason === null || alarms.length > 0, reason ?? "");
  return alarms.map(({ cause }) => cause).filter((cause) => cause !== "resource_stall");
}
const filter = (options: string) => `      - { uses: filter_groups, with: { ${options} } }\n`;

Deno.test("zero_reward_variance is named where every group ties, with a filter of groups as without", () =>
  withFolder(async (folder) => {
    const without = await said(folder, "", "./by_prompt.js", 21);
    assert.deepEqual(without, ["zero_reward_variance"]);
    assert.deepEqual(await said(folder, filter("max_batches: 2"), "./by_prompt.js", 21), without);
  }));

Deno.test("a healthy run that samples again and trains on groups with spread only ends without an alarm", () =>
  withFolder(async (folder) => {
    assert.deepEqual(await said(folder, filter("max_batches: 3"), "verifier", 21), []);
    assert.deepEqual(await said(folder, filter("max_batches: 1, too_few: replay"), "verifier", 12), []);
  }));
