import assert from "node:assert/strict";
import { turnOf, Turns } from "../../../../../data/adapters/post/text/turns.ts";

for (
  const [line, speaker, rest] of [
    ["**Author:** it is zero", "author", " it is zero"],
    ["楼主：没有变化", "author", "没有变化"],
    ["**作者**：没有变化", "author", "没有变化"],
    ["**作者** 回复：这没有错", "other", "这没有错"],
    ["OP: more of it", "author", "more of it"],
    ["**Reply 2:** try a lower rate", "other", " try a lower rate"],
    ["Maintainer: please update", "other", "please update"],
    ["答主：试试", "other", "试试"],
    ["【网友】：我也是", "other", "我也是"],
    ["somebody commented on 3 May", "other", ""],
    ["jane-doe opened this issue on May 1", "author", ""],
    ["@jane_doe replied 2 days ago", "other", ""],
  ] as const
) {
  Deno.test(`turnOf() gives the word to the ${speaker} at "${line}"`, () => {
    const { name: _, ...turn } = turnOf(line)!;
    assert.deepEqual(turn, { speaker, rest });
  });
}

for (
  const line of ["Question: what is one and one?", "The answer: no", "I wrote a reward", "reply", "", "x".repeat(500)]
) {
  Deno.test(`turnOf() is silent at "${line.slice(0, 30)}"`, () => assert.equal(turnOf(line), null));
}

const speakers = (...lines: string[]) => {
  const turns = new Turns();
  return lines.flatMap((line) => turns.take(line)?.speaker ?? []);
};

Deno.test("Turns gives the report to whoever comments first, and to the same person further on", () => {
  assert.deepEqual(
    speakers("**alice** commented:", "It is flat.", "**bob** commented:", "Me too.", "**alice** commented:"),
    ["author", "other", "author"],
  );
  assert.deepEqual(speakers("# It is flat", "alice commented on 3 May", "bob commented on 4 May"), ["author", "other"]);
  assert.deepEqual(speakers("maintainer commented", "The log, please.", "alice commented"), ["other", "author"]);
  assert.deepEqual(speakers("alice opened this issue", "It is flat.", "bob commented", "alice commented"), [
    "author",
    "other",
    "author",
  ]);
});

Deno.test("Turns gives no comment to the author where something was reported before it", () => {
  assert.deepEqual(speakers("It is flat.", "bob commented", "Me too.", "carl commented"), ["other", "other"]);
  const turns = new Turns();
  turns.begin();
  assert.equal(turns.take("bob commented")?.speaker, "other");
  assert.deepEqual(speakers("**Reply 1:** no", "**Reply 2:** yes"), ["other", "other"]);
});

Deno.test("turnOf() tries blanks before and behind a name once, however many", () => {
  const blanks = " ".repeat(370);
  // Tried in all their parts, each line would cost seconds.
  for (let i = 0; i < 2000; i++) {
    assert.equal(turnOf(`${blanks}- step ${i}: 0.1`), null);
    assert.equal(turnOf(`Author${blanks}x:`), null);
  }
  assert.deepEqual(turnOf(`${blanks}- **Author:** it is flat`), { speaker: "author", rest: " it is flat" });
  assert.equal(turnOf(`**Maintainer (bob)** wrote${" ".repeat(60)}: no`)?.speaker, "other");
});
