/** Tables of scores by model. */
import assert from "node:assert/strict";
import { Intake } from "../../../../../data/adapters/intake/intake.ts";
import { ModelTable } from "../../../../../data/adapters/post/tables/model_table.ts";

function claims(...rows: string[]) {
  const intake = new Intake();
  intake.openSource("post.md", "post", 0);
  const table = new ModelTable(intake);
  rows.forEach((text, i) => table.look({ text, number: i + 1, ended: true }));
  table.end();
  return intake.claims.map(({ subject, predicate, line, text }) => ({ subject, predicate, line, text }));
}
const HEAD = ["| model | MMLU | ours |", "|---|---|---|"];

Deno.test("ModelTable claims what the tuned model lost against its base", () => {
  assert.deepEqual(claims(...HEAD, "| base | 64.1 | 20 |", "| after SFT | 41.3 | 78 |"), [{
    subject: "evaluation",
    predicate: "forgets",
    line: 4,
    text: "MMLU: 64.1 of base, 41.3 of after SFT",
  }]);
  assert.equal(
    claims("| 模型 | C-Eval | 任务 |", "|--|--|--|", "| 原模型 | 60 | 30 |", "| 微调后 | 35 | 80 |").length,
    1,
  );
});

Deno.test("ModelTable is silent of a loss that falls", () => {
  assert.deepEqual(
    claims("| Metric | Value |", "|--|--|", "| eval_loss before | 1.77 |", "| eval_loss after | 1.10 |"),
    [],
  );
});

Deno.test("ModelTable claims what the tuned model gained, also without outer pipes and with models in the columns", () => {
  const rises = (...rows: string[]) => claims(...rows).map(({ predicate, text }) => `${predicate} ${text}`);
  const gained = ["rises ours: 20 of base, 78 of after SFT"];
  assert.deepEqual(rises(...HEAD, "| base | 64.1 | 20 |", "| after SFT | 65.0 | 78 |"), gained);
  assert.deepEqual(rises("model | MMLU | ours", "base | 64.1 | 20", "after SFT | 65.0 | 78"), gained);
  assert.deepEqual(
    rises("| score | base | after SFT |", "|-|-|-|", "| MMLU | 64.1 | 65.0 |", "| ours | 20 | 78 |"),
    gained,
  );
  assert.deepEqual(rises("| metric | base | DPO |", "|-|-|-|", "| Reward accuracy (held-out) | 0.5 | 0.72 |"), [
    "rises Reward accuracy (held-out): 0.5 of base, 0.72 of DPO",
  ]);
  assert.deepEqual(rises(...HEAD, "| base | 64.1 | 20 |", "| + GRPO | 62.0 | 19 |"), [], "both fall a little");
});

Deno.test("ModelTable is silent where little is lost, and of losses, other rows and other tables", () => {
  assert.deepEqual(claims(...HEAD, "| base | 64.1 | 20 |", "| after SFT | 63.0 | 21 |"), []);
  assert.deepEqual(
    claims("| métrica | antes | después del SFT |", "|--|--|--|", "| pérdida de validación | 1,62 | 1,18 |"),
    [],
  );
  assert.deepEqual(claims("| model | loss |", "|--|--|", "| base | 2.3 |", "| SFT | 1.1 |"), []);
  assert.deepEqual(claims(...HEAD, "| small | 64.1 | 20 |", "| large | 41.3 | 78 |"), []);
});
