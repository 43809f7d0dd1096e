/** Each cause of pairs, labels, numbers, weights and machines is named from a post that shows it, and not from its twin. */
import assert from "node:assert/strict";
import { diagnoseRun } from "../../../../steps/diagnoses/diagnose_run.ts";
import { UPDATE_PATTERNS } from "../../../../steps/diagnoses/told/update_patterns.ts";
import { tableView } from "../../../../steps/diagnoses/view/table_view.ts";
import { readText } from "../../../data/adapters/read_text.ts";
import { UPDATE_POSTS } from "./update_posts.ts";

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
