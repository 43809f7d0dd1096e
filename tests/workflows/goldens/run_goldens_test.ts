import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { FORMULA_TOPICS } from "../../../workflows/goldens/mod.ts";
import { readGoldens, withNumbers } from "../../../workflows/goldens/read.ts";
import { runGoldens } from "../../../workflows/goldens/run_goldens.ts";
import { FORMULAS } from "./held.ts";

/** Combinations of options and shapes that the other goldens have not, one case each, from the original functions. */
const HELD_OUT = fileURLToPath(new URL("../../goldens/held_out", import.meta.url));

Deno.test("runGoldens() judges the cases that a filter names by topic or name", async () => {
  const one = await runGoldens(FORMULAS, { filter: "sum_then_normalize/group/one_reward/" });
  assert(one.length > 3 && one.every(({ failure }) => failure === null), JSON.stringify(one));
  const file = await runGoldens(FORMULAS, { filter: "trl_advantages" });
  assert.equal(file.length, 270);
});

Deno.test("runGoldens() fails a case one of whose values was changed", async () => {
  const folder = Deno.makeTempDirSync();
  const document = JSON.parse(Deno.readTextFileSync(join(FORMULAS, "trl_advantages.json")));
  document.cases = document.cases.slice(0, 2);
  document.cases[1].outputs.advantages[0] += 2e-6;
  Deno.writeTextFileSync(join(folder, "trl_advantages.json"), JSON.stringify(document));
  const [right, wrong] = await runGoldens(folder);
  assert.equal(right!.failure, null);
  assert.match(wrong!.failure!, /^advantages\[0\] is /);
  Deno.removeSync(folder, { recursive: true });
});

Deno.test("no case is two topics'", () => {
  const twice = readGoldens(FORMULAS).flatMap(({ name: file, cases }) =>
    (cases ?? []).flatMap((raw) => {
      const golden = { ...raw, params: withNumbers(raw.params), inputs: withNumbers(raw.inputs) };
      const takers = Object.entries(FORMULA_TOPICS).filter(([, { takes }]) =>
        (takes as Record<string, (one: typeof golden) => boolean>)[file]?.(golden)
      );
      return takers.length > 1 ? [`${file} ${raw.name}: ${takers.map(([name]) => name).join(", ")}`] : [];
    })
  );
  assert.deepEqual(twice, []);
});

Deno.test("the formulas agree with the originals on combinations of options that the other goldens have not", async () => {
  const verdicts = await runGoldens(HELD_OUT);
  assert.deepEqual(verdicts.filter(({ failure }) => failure !== null), []);
  assert.equal(verdicts.length, 14);
});
