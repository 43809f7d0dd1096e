import assert from "node:assert/strict";
import { openRunFolder } from "../../../data/open_run_folder.ts";
import { ownPrompts, promptToPaste } from "../../../workflows/cli/own_prompts.ts";
import { fabricateRun, withRuns } from "./fabricated_run.ts";

const CASES: readonly { rows: Record<string, unknown>[]; own: string[]; paste: string | null }[] = [
  { rows: [], own: [], paste: null },
  { rows: [{ prompt: "a", split: "train" }, { prompt: "b" }, { prompt: "c" }], own: ["b", "c"], paste: "b" },
  {
    rows: [{ prompt: "a", split: "train" }, { prompt: "b", split: "validation" }],
    own: ["b"],
    paste: "b",
  },
  { rows: [{ prompt: "a", split: "train" }], own: ["a"], paste: "a" },
  { rows: [{ prompt: "two\nlines" }, { prompt: "x".repeat(61) }, { prompt: "" }], own: [], paste: null },
  { rows: [{ prompt: "\u001b[2J" }, { prompt: "这是什么？" }], own: [], paste: "这是什么？" },
];

Deno.test("ownPrompts() are those held out, and promptToPaste() the first that is one short, printable line", () =>
  withRuns((runs) => {
    CASES.forEach(({ rows, own, paste }, i) => {
      const run = openRunFolder(fabricateRun(runs, `r${i}`, {}, rows));
      assert.deepEqual(ownPrompts(run), own.length ? own : rows.map(({ prompt }) => prompt));
      assert.equal(promptToPaste(run), paste);
    });
  }));
