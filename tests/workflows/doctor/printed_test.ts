import assert from "node:assert/strict";
import { tableView } from "../../../steps/diagnoses/view/table_view.ts";
import { printedBySource, toldOf } from "../../../workflows/doctor/printed.ts";
import { readText } from "../../data/adapters/read_text.ts";

const POST = `GRPO with TRL. The reward stays at 0.3 for 300 steps, the kl is 0.01.

{'loss': 0.0, 'grad_norm': 0.31, 'learning_rate': 1e-06, 'epoch': 0.1}
{'loss': 0.0, 'grad_norm': 0.32, 'learning_rate': 1e-06, 'epoch': 0.2}
`;

Deno.test("printedBySource() counts the records that a post prints, and none that it tells", async () => {
  const view = tableView((await readText(POST)).rows);
  assert.deepEqual([...printedBySource(view).values()], [2]);
});

Deno.test("toldOf() has the values that are told, and nothing of a column that is printed", async () => {
  const view = tableView((await readText(POST)).rows);
  assert.deepEqual(toldOf(view, "grad_norm"), {});
  assert(toldOf(view, "reward").told!.includes(true));
});
