// Cells of a notebook, written by deno task docs.
// deno-lint-ignore-file
// deno-fmt-ignore-file
import { compare, diagnose, openRun, show } from "../../../workflows/mod.ts";

const trl = await openRun("../tests/cases/103-trl-grpo/trainer_state.json");
console.log(trl.system, "·", trl.tables.metrics.numRows(), "records ·", trl.charts.join(", "));
await show(trl.chart("reward", { findings: true }));
try {
  trl.chart("sampler_gap");
} catch (error) {
  console.log((error as Error).message);
};
await show(await diagnose("../tests/cases/103-trl-grpo/trainer_state.json"));
const other = await openRun("../tests/cases/104-trl-grpo/trainer_state.json");
const both = await compare(trl, other);
await show(both.chart("reward"));
await show(both.table);
