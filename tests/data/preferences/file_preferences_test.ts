import assert from "node:assert/strict";
import { PREFERENCE_COLUMNS } from "../../../data/datasets/conventions.ts";
import type { Split } from "../../../data/datasets/split.ts";
import {
  columnsRead,
  PreferenceCollector,
  type PreferenceOptions,
  readingOfPreferences,
} from "../../../data/preferences/file_preferences.ts";

const SPLITS = { train: 1, validation: 0, held_out: 0 };
const pair = (i: number) => ({ prompt: `p${i}`, chosen: "a", rejected: "b" });
const reading = (row: Record<string, unknown>) =>
  readingOfPreferences([row], Object.keys(row), "p", PREFERENCE_COLUMNS);

function collected(batches: [Split | null, number[]][], options: Partial<PreferenceOptions> = {}) {
  const collector = new PreferenceCollector(reading(pair(0)), {
    file: "p",
    order: "hash",
    splits: SPLITS,
    ...options,
  });
  for (const [split, numbers] of batches) {
    collector.add({ rows: numbers.map(pair), columns: Object.keys(pair(0)), split, place: (i) => `row ${i}` }, false);
  }
  return { ...collector.end(), isFull: collector.isFull };
}

const many = Array.from({ length: 25_000 }, (_, i) => i);

Deno.test("PreferenceCollector keeps the same rows with a limit whether it lets go of others on the way or not", () => {
  const all = collected([[null, many]]).rows;
  const some = collected([[null, many.slice(0, 15_000)], [null, many.slice(15_000)]], { limit: 50 }).rows;
  assert.deepEqual(some, all.slice(0, 50));
  const first = collected([[null, many]], { limit: 3, order: "file" });
  assert.deepEqual([first.isFull, first.rows.map(({ prompt, line }) => [prompt, line])], [
    true,
    [["p0", 1], ["p1", 2], ["p2", 3]],
  ]);
});

Deno.test("PreferenceCollector sets train rows apart whose prompts another split of the folder has, before and after it", () => {
  const { rows, moved } = collected([["validation", [1, 2]], ["train", [1, 3, 4]], ["held_out", [2, 4]]]);
  assert.equal(moved, 3);
  const split = new Map(rows.map((row) => [row.prompt, row.split]));
  assert.deepEqual([1, 2, 3, 4].map((i) => split.get(`p${i}`)), ["validation", "held_out", "train", "held_out"]);
  assert(rows.every((row) => row.split === split.get(row.prompt)));
});

Deno.test("columnsRead() asks for what a reading reads, of pairs without a prompt also for what may be one", () => {
  const own = { chosen: "It is a", rejected: "It is b", question: "", extra: 1 };
  assert.deepEqual(columnsRead(reading(own), Object.keys(own)), ["question", "chosen", "rejected"]);
  assert.deepEqual(columnsRead(reading({ ...own, question: "?" }), Object.keys(own)), [
    "question",
    "chosen",
    "rejected",
  ]);
  assert.deepEqual(columnsRead(reading({ ...pair(0), question: "?" }), []), ["prompt", "chosen", "rejected"]);
});
