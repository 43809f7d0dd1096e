/** The changes against hand-written files; and development cases that each of them once broke. */
import assert from "node:assert/strict";
import { tryCase } from "./invariance.ts";
import { type Answer, isProven, leadsAstray, sameAnswer } from "./invariance/answer.ts";
import { type Case, type CaseFile, type Change, readCase } from "./invariance/case_files.ts";
import { printLog, readLog } from "./invariance/case_log.ts";
import { CUTS } from "./invariance/cuts.ts";
import { ODDITIES } from "./invariance/oddities.ts";
import { report, tableOf } from "./invariance/report.ts";
import { TRANSFORMATIONS } from "./invariance/transformations.ts";
import { labelledCases } from "./labelled/cases.ts";

const CONSOLE = `starting
[rank0]: {'loss': 0.5, 'reward': '0.25', 'rewards/accuracy_reward/mean': nan, 'kl': None, 'ids': [1, 2]} done
{'loss': 0.25, 'reward': 0.5, 'rewards/accuracy_reward/mean': 0.0004, 'epoch': 0.5}
{'eval_loss': 1.5, 'epoch': 1}
`;
const STATE = `{"max_steps": 2, "log_history": [
{"loss": 0.5, "step": 1},
{"loss": NaN, "step": 2}
], "global_step": 2}
`;
const VERL = "(TaskRunner pid=7) step:1 - actor/pg_loss:0.5 - actor/lr(1e-4):0.01\nstep:2 - actor/pg_loss:0.25\n";

const file = (name: string, text: string): CaseFile => ({ name, text, log: readLog(text, name) });
const of = (...files: CaseFile[]): Case => ({
  name: "case",
  files,
  label: {
    system: "trl",
    algorithm: "grpo",
    verdict: "benign",
    primary: "healthy",
    causes: ["healthy"],
    must_not: [],
    confidence: "gold",
  },
});

/** The texts that a change makes of one file. */
function texts(change: Change, given: Case): string[] {
  return (change(given.files, given) ?? []).map(({ text, log }) => log === null ? text : printLog(log));
}

Deno.test("printLog() prints what readLog() read", () => {
  assert.equal(printLog(readLog(CONSOLE, "log.txt")!), CONSOLE);
  assert.equal(printLog(readLog(STATE, "trainer_state.json")!), STATE);
  assert.equal(printLog(readLog(VERL, "log.txt")!), VERL);
  assert.equal(printLog(readLog("loss,reward\n0.5,\n,1\n", "log.csv")!), "loss,reward\n0.5,\n,1\n");
  const nested = '{"step": 1, "data": {"actor/lr": 1e-06, "x": null}}\n';
  assert.equal(printLog(readLog(nested, "log.jsonl")!), nested);
  assert.equal(readLog("no record\n", "log.txt"), null);
});

Deno.test("TRANSFORMATIONS change the print, not the values", () => {
  const log = of(file("log.txt", CONSOLE)), state = of(file("trainer_state.json", STATE));
  const line = (change: Change, at: number) => texts(change, log)[0]!.split("\n")[at];
  assert.equal(line(TRANSFORMATIONS.prefix_rank, 3), "[rank0]: {'eval_loss': 1.5, 'epoch': 1}");
  assert.equal(line(TRANSFORMATIONS.keys_reversed, 3), "{'epoch': 1, 'eval_loss': 1.5}");
  assert.match(line(TRANSFORMATIONS.keys_reversed, 2)!, /^\{'epoch': 0.5, .*'loss': 0.25\}$/);
  assert.match(line(TRANSFORMATIONS.quoted, 2)!, /'loss': '0.25', 'reward': '0.5'/);
  assert.match(line(TRANSFORMATIONS.rewards_renamed, 2)!, /'rewards\/reward_accuracy_v2\/mean': 0.0004/);
  assert.match(texts(TRANSFORMATIONS.as_jsonl, log)[0]!, /"rewards\/accuracy_reward\/mean": NaN, "kl": null/);
  assert.deepEqual(texts(TRANSFORMATIONS.as_csv, state)[0], "loss,step\n0.5,1\nnan,2\n");
  const nested = of(file("log.jsonl", '{"step": 1, "data": {"actor/lr": 1e-06, "x": 2}}\n'));
  assert.equal(texts(TRANSFORMATIONS.keys_reversed, nested)[0], '{"data": {"x": 2, "actor/lr": 1e-06}, "step": 1}\n');
  assert.equal(texts(TRANSFORMATIONS.as_csv, nested)[0], "step,actor/lr,x\n1,1e-06,2\n");
  assert.deepEqual(texts(TRANSFORMATIONS.as_state, state), [], "it is one already");
  const [wide] = texts(TRANSFORMATIONS.wrapped_120, of(file("log.txt", `${"x".repeat(130)}\n\nend\n`)));
  assert.deepEqual(wide!.split("\n").map(({ length }) => length), [120, 10, 0, 3, 0]);
});

Deno.test("TRANSFORMATIONS average, round and cut series of records as loggers do", () => {
  const steps = Array.from(
    { length: 200 },
    (_, i) => `{"loss": ${i % 5}, "tiny": 1e-7, "learning_rate": 1e-6, "step": ${i + 1}}`,
  );
  const log = of(file("log.jsonl", steps.join("\n") + "\n"));
  const [mean] = texts(TRANSFORMATIONS.every_5, log);
  assert.equal(mean!.split("\n")[0], '{"loss": 2, "tiny": 1e-7, "learning_rate": 1e-6, "step": 5}');
  assert.equal(mean!.split("\n").length, 41);
  assert.deepEqual(texts(TRANSFORMATIONS.every_10, log), [], "too short");
  assert.match(
    texts(TRANSFORMATIONS.three_decimals, log)[0]!,
    /^\{"loss": 0.000, "tiny": 1e-7, "learning_rate": 1e-6, /,
  );
  assert.match(texts(TRANSFORMATIONS.smoothed, log)[0]!.split("\n")[1]!, /^\{"loss": 0.4, .*"step": 2\}$/);
  assert.match(texts(CUTS.last_third, log)[0]!, /^\{"loss": 3, .*"step": 134\}/);
  assert.equal(texts(CUTS.every_tenth, log)[0]!.split("\n").length, 21);
  assert.equal(texts(TRANSFORMATIONS.resumed, log)[0]!.split("\n").length, 241);
  assert.match(texts(ODDITIES.backwards, log)[0]!, /^.*"step": 200\}\n.*"step": 199\}/);
});

Deno.test("CUTS leave out a column, a file, a name", () => {
  const log = of(file("log.txt", CONSOLE), { name: "config.txt", text: "reward_funcs: accuracy_reward\n", log: null });
  assert.doesNotMatch(texts(CUTS.no_kl, log)[0]!, /'kl'/);
  assert.deepEqual(texts(CUTS.no_entropy, log), [], "it has none");
  assert.equal(texts(CUTS.no_configuration, log).length, 1);
  assert.deepEqual(texts(CUTS.rewards_nameless, log).map((text) => /accuracy/.test(text)), [false, false]);
  assert.doesNotMatch(texts(CUTS.no_evaluations, log)[0]!, /eval_loss/);
});

Deno.test("sameAnswer() and leadsAstray() judge verdict, first cause and what was named before", () => {
  const answer = (verdict: string, ...causes: string[]): Answer => ({
    verdict,
    first: causes[0] ?? null,
    causes,
    unproven: [],
    crash: null,
  });
  const before = answer("faulty", "a", "b"), label = { causes: ["c"] };
  assert.equal(sameAnswer(before, answer("faulty", "a")), true);
  assert.equal(sameAnswer(before, answer("faulty", "b", "a")), false);
  assert.equal(sameAnswer(before, answer("insufficient")), false);
  for (const first of ["a", "b", "c"]) assert.equal(leadsAstray(before, answer("faulty", first), label), false, first);
  assert.equal(leadsAstray(before, answer("faulty", "d"), label), true);
  assert.equal(leadsAstray(before, answer("benign"), label), false);
  assert.equal(leadsAstray(before, { ...answer("crash"), crash: "x" }, label), true);
});

Deno.test("isProven() wants a value, 0 and NaN too", () => {
  const row = (value: number | null) => ({ train_step: 1, name: "loss", value, source: null, line: null });
  assert.deepEqual(
    [[row(0)], [row(NaN)], [row(null)], [], [row(null), row(1)]].map((evidence) => isProven({ evidence })),
    [
      true,
      true,
      false,
      false,
      true,
    ],
  );
});

Deno.test("report() prints a share per change, the sum, and what breaks", () => {
  const outcome = (change: string, kept: boolean) => ({
    kind: "cuts",
    change,
    of: "x",
    kept,
    said: "a -> b",
    unproven: kept ? [] : ["b"],
  });
  const outcomes = [outcome("no_kl", true), outcome("no_kl", false), outcome("no_entropy", true)];
  assert.deepEqual(tableOf(outcomes).cuts!.map(({ change, cases, kept }) => [change, cases, kept]), [
    ["no_kl", 2, 1],
    ["no_entropy", 1, 1],
    ["all", 3, 2],
  ]);
  assert.match(report(outcomes), /no_kl +1\/2 +50.0 %/);
  assert.match(report(outcomes), /value: 1\n {2}no_kl: x: b\nwhat breaks .*\n {2}no_kl: x: a -> b$/);
});

/** Each was read wrongly under one of the changes once. */
const BROKEN_ONCE = ["001-", "003-", "026-", "030-", "046-", "047-"];

Deno.test("the doctor's answer stays under every change, on cases where it once did not", async () => {
  const cases = labelledCases(new URL("../cases", import.meta.url).pathname).filter(({ name }) =>
    BROKEN_ONCE.some((start) => name.startsWith(start))
  );
  assert.equal(cases.length, BROKEN_ONCE.length);
  for (const entry of cases) {
    const outcomes = await tryCase(readCase(entry));
    assert(outcomes.length > 5, entry.name);
    assert.deepEqual(outcomes.filter(({ kept, unproven }) => !kept || unproven.length > 0), []);
  }
});
