import assert from "node:assert/strict";
import { readText } from "../read_text.ts";

const TABLE = (step: number) =>
  `╭──────────────── Step ${step} ────────────────╮
│ ┏━━━━━━━━┳━━━━━━━━━━━━┳━━━━━━━━━━┳━━━━━━━━━━━┓ │
│ ┃ Prompt ┃ Completion ┃ accuracy ┃ Advantage ┃ │
│ ┡━━━━━━━━╇━━━━━━━━━━━━╇━━━━━━━━━━╇━━━━━━━━━━━┩ │
│ │ 7+5=   │ the answer │     1.00 │     -0.35 │ │
│ │        │ is 12      │          │           │ │
│ ├────────┼────────────┼──────────┼───────────┤ │
│ │ 7+5=   │ no idea…   │      nan │      None │ │
│ └────────┴────────────┴──────────┴───────────┘ │
╰────────────────────────────────────────────────╯
`;

Deno.test("RICH_TABLE reads rows, wrapped cells, the step and the group", async () => {
  const { completions } = await readText(TABLE(3) + TABLE(4));
  assert.deepEqual(
    completions.map(({ train_step, prompt, text, reward, advantage, cut }) => [
      train_step,
      prompt,
      text,
      reward,
      advantage,
      cut,
    ]),
    [
      [3, "7+5=", "the answer\nis 12", 1, -0.35, false],
      [3, "7+5=", "no idea…", NaN, null, true],
      [4, "7+5=", "the answer\nis 12", 1, -0.35, false],
      [4, "7+5=", "no idea…", NaN, null, true],
    ],
  );
  assert.deepEqual(completions.slice(0, 2).map(({ prompt_id, sample }) => [prompt_id, sample]), [[0, 0], [0, 1]]);
});

Deno.test("RICH_TABLE reads a box glued to a progress bar", async () => {
  const { completions } = await readText("  2%|▎  | 1/40 [00:00<00:09,  4.04it/s]" + TABLE(1));
  assert.equal(completions.length, 2);
});

Deno.test("RICH_TABLE leaves a table of something else alone", async () => {
  const run = await readText("╭──── Config ────╮\n│ ┃ Name ┃ Value ┃ │\n│ │ a │ 1 │ │\n╰────────────────╯\n");
  assert.equal(run.completions.length, 0);
});
