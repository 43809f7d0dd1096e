import assert from "node:assert/strict";
import { RENAMED, REWARDS } from "../../../steps/rewards/mod.ts";
import { entryName, rewardEntry } from "../../../steps/rewards/entry.ts";

const issues = (entry: unknown) =>
  (rewardEntry.safeParse(entry).error?.issues ?? []).map(({ path, message }) => `${path.join(".")}: ${message}`);

Deno.test("rewardEntry has weight 1 and no options unless it says so", () => {
  assert.deepEqual(rewardEntry.parse({ uses: "verifier" }), { uses: "verifier", weight: 1, with: {}, trusted: false });
});

Deno.test("rewardEntry names an unknown reward, the nearest and all known", () => {
  const [message] = issues({ uses: "exact_mach" });
  assert.match(
    message!,
    /^uses: unknown reward "exact_mach"; did you mean "exact_match"\? Known: verifier, exact_match/,
  );
});

Deno.test("rewardEntry checks the options of the function, with their place", () => {
  assert.match(issues({ uses: "overlong", with: { buffer: 4 } })[0]!, /^with\.max_new_tokens: /);
  assert.match(
    issues({ uses: "format", with: { patern: "x" } })[0]!,
    /^with\.patern: unknown key "patern" of reward "format"; did you mean "pattern"/,
  );
  assert.deepEqual(issues({ uses: "./mine.ts", with: { anything: 1 } }), []);
});

Deno.test("rewardEntry gives permissions and trust to files only, and not both", () => {
  assert.match(issues({ uses: "format", permissions: { net: ["a"] } })[0]!, /^permissions: only a file/);
  assert.match(issues({ uses: "format", trusted: true })[0]!, /^trusted: only a file/);
  assert.match(issues({ uses: "./m.ts", trusted: true, permissions: { net: ["a"] } })[0]!, /^permissions: trusted/);
});

Deno.test("entryName() is the given name, the function's or the file's", () => {
  assert.equal(entryName({ uses: "format", name: "shape" }), "shape");
  assert.equal(entryName({ uses: "format" }), "format");
  assert.equal(entryName({ uses: "../rewards/my_reward.ts" }), "my_reward");
});

Deno.test("rewardEntry knows a name with a slash from a file", () => {
  assert.deepEqual(issues({ uses: "visual/iou", with: { matching: "hungarian" } }), []);
  assert.match(issues({ uses: "visual/iou", trusted: true })[0]!, /^trusted: only a file/);
  assert.deepEqual(issues({ uses: "./visual/iou.ts", trusted: true }), []);
  assert.match(issues({ uses: "visual/io" })[0]!, /^uses: unknown reward "visual\/io"; did you mean "visual\/iou"\?/);
  assert.equal(entryName({ uses: "visual/iou" }), "visual/iou");
  assert.equal(entryName({ uses: "./visual/iou.ts" }), "iou");
});

Deno.test("rewardEntry says what a reward is called now", () => {
  assert.deepEqual(issues({ uses: "detection_iou", with: { quirk: true } }), [
    'uses: reward "detection_iou" is now "visual/iou", its option quirk compat',
  ]);
  for (const [before, now] of Object.entries(RENAMED)) {
    assert(!Object.hasOwn(REWARDS, before) && Object.hasOwn(REWARDS, now), `${before}: ${now}`);
  }
});
