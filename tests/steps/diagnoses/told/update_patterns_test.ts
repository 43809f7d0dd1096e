/** Each cause of pairs, labels, numbers, weights and machines is named from a post that shows it, and not from its twin. */
import assert from "node:assert/strict";
import type { RunDiagnosis } from "../../../../steps/diagnoses/diagnosis.ts";
import { diagnoseRun } from "../../../../steps/diagnoses/diagnose_run.ts";
import { UPDATE_PATTERNS } from "../../../../steps/diagnoses/told/update_patterns.ts";
import { tableView } from "../../../../steps/diagnoses/view/table_view.ts";
import { readFiles, readText } from "../../../data/adapters/read_text.ts";
import { UPDATE_POSTS } from "./update_posts.ts";
import { HELD_BACK, NAMED, SOUND } from "./update_verdicts.ts";

async function causesOf(text: string): Promise<readonly string[]> {
  const { verdict, findings } = diagnoseRun(tableView((await readText(text)).rows));
  return verdict === "faulty" ? findings.filter(({ severity }) => severity !== "info").map(({ cause }) => cause) : [];
}

for (const [cause, { fires, silent }] of Object.entries(UPDATE_POSTS)) {
  Deno.test(`a post shows ${cause}`, async () => {
    for (const text of fires) assert.equal((await causesOf(text))[0], cause, text);
  });
  Deno.test(`a post that looks like ${cause} does not`, async () => {
    for (const text of silent) assert.deepEqual(await causesOf(text), [], text);
  });
}

Deno.test("every pattern has a post", () => {
  for (const cause of Object.keys(UPDATE_PATTERNS)) {
    const posts = UPDATE_POSTS[cause as keyof typeof UPDATE_POSTS];
    assert(posts !== undefined && posts.fires.length > 0, cause);
  }
});

async function diagnosed(post: string): Promise<RunDiagnosis> {
  return diagnoseRun(tableView((await readFiles({ "post.md": post })).rows));
}

const alarms = ({ findings }: RunDiagnosis) =>
  findings.filter(({ severity }) => severity !== "info").map(({ cause }) => cause);

Deno.test("a post that shows a cause has it named first", async () => {
  for (const [causes, post] of NAMED) {
    const diagnosis = await diagnosed(post);
    assert.equal(diagnosis.verdict, "faulty", post);
    assert(causes.some((cause) => cause === alarms(diagnosis)[0]), `${alarms(diagnosis)}: ${post}`);
  }
});

Deno.test("a post that says too little has no cause named, and is not called healthy", async () => {
  for (const post of HELD_BACK) assert.equal((await diagnosed(post)).verdict, "insufficient", post);
});

Deno.test("a post of a sound run raises no alarm", async () => {
  for (const post of SOUND) assert.deepEqual(alarms(await diagnosed(post)), [], post);
});
