/** The rule repeated_token_degeneration: its fault and its look-alikes. */
import assert from "node:assert/strict";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { longRun } from "./long_run.ts";
import { begins, flat, group, ramp, testRule, viewOf } from "./synthetic.ts";

testRule("repeated_token_degeneration", {
  fires: {
    "one tag over and over": {
      columns: { reward: ramp(0.2, 0.3), loss: ramp(0.1, 0.2) },
      completions: group("7+8=", Array(8).fill("<think>".repeat(16)), flat(0, 8)).map((row, i) => ({
        ...row,
        text: `${i}${row.text}`,
      })),
    },
  },
  silent: {
    "a policy that no gradient has reached": {
      own: true,
      columns: { reward: flat(0, 3), grad_norm: flat(0, 3) },
      completions: group("7+8=", Array(8).fill("<think>".repeat(16)), flat(0, 8), { trainStep: 3 }),
    },
    "ordinary prose": {
      completions: group(
        "why?",
        Array(8).fill("Because the sky scatters short waves more than long ones, as Rayleigh found in 1871."),
        flat(0, 8),
      ),
    },
    "a short run of one digit": { completions: group("1111111*9=", Array(8).fill("9999999"), flat(1, 8)) },
  },
});

Deno.test("repeated_token_degeneration of a model that repeats itself from the first is none of the updates", () => {
  const loops = (trainStep: number) =>
    group("7+8=", Array(8).fill("<think>".repeat(16)), [...flat(0, 7), 1], { trainStep });
  const prose = loops(1).map((row) => ({ ...row, text: "Seven and eight make fifteen, as anyone can count." }));
  const found = (first: typeof prose) =>
    DIAGNOSES.repeated_token_degeneration.check(viewOf({
      own: true,
      columns: { reward: flat(0.1, 2), grad_norm: flat(0.5, 2) },
      completions: [...first, ...loops(2)],
    }));
  const arrived = found(loops(1)), fallen = found(prose);
  assert(arrived !== null && "message" in arrived && fallen !== null && "message" in fallen);
  assert.match(arrived.hint!, /^The model arrived like this/);
  assert.equal(fallen.hint, undefined);
});

/** Completions of eight at each of twelve train steps, of which some repeat. */
const printed = (loops: readonly number[]) =>
  loops.flatMap((count, i) =>
    group(
      "7+8=",
      [
        ...Array(count).fill("<think>".repeat(16)),
        ...Array(8 - count).fill("Seven and eight make fifteen, as anyone can count."),
      ],
      flat(0.5, 8),
      { trainStep: 20 * i + 1 },
    )
  );
const warned = (loops: readonly number[]) =>
  DIAGNOSES.repeated_token_degeneration.check(viewOf({ ...longRun(), completions: printed(loops) }));

Deno.test("repeated_token_degeneration warns where more and more completions repeat, before many do", () => {
  const found = warned([0, 0, 0, 0, 0, 1, 0, 1, 2, 3, 2, 1]);
  assert(found !== null && "message" in found);
  assert.equal(found.severity, "warning");
  assert.equal(
    found.message,
    "At risk: 25 % of the completions from train step 161 on repeat without end, 0 % of the first ones",
  );
  assert.equal(found.trainSteps[0], 161);
});

Deno.test("repeated_token_degeneration does not warn of loops that come and go", () => {
  for (
    const loops of [
      [6, 2, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0],
      [1, 0, 1, 0, 2, 0, 1, 0, 0, 1, 1, 0],
      [1, 1, 0, 1, 0, 1, 1, 1, 1, 0, 3, 1],
      [0, 0, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0],
      [0, 0, 0, 1, 1],
    ]
  ) assert.equal(warned(loops), null, loops.join(" "));
});

Deno.test("repeated_token_degeneration begins with the printed train step since which many repeat", () => {
  assert.equal(
    begins("repeated_token_degeneration", { ...longRun(), completions: printed([0, 6, 0, 1, 3, 6, 8, 8]) }),
    81,
  );
});
