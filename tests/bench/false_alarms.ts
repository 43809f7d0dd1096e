/**
 * How often each rule warns of a healthy run: measured, and written where the rules' page reads it.
 *
 *     deno task bench false_alarms [DIR...] [--seeds 200] [--write] [--json]
 *
 * Healthy runs are simulated ones whose metrics have a memory (both kinds, six lengths, so many seeds each) and those
 * labelled benign in tests/slow, tests/cases and each DIR (a folder of cases with label.json; runs of clean_sweeps.ts can be such).
 * Every rule is asked by itself, before causes are told from after-effects; notes are no alarms. It is counted on the runs
 * in which it could speak (heard.ts); a reward that stays where it is is no healthy run of the rule of flat rewards.
 * --write renews steps/diagnoses/differential/false_alarms.ts.
 * @module
 */
import { heard } from "./false_alarms/heard.ts";
import { healthyRun, type Kind, LENGTHS } from "./false_alarms/simulated.ts";
import { benchArguments, numbers, typed } from "./arguments.ts";
import { labelledCases } from "./labelled/cases.ts";
import { longestRun } from "./labelled/longest_run.ts";
import { viewOf } from "../steps/diagnoses/synthetic.ts";
import { DECISION_ORDER } from "../../steps/diagnoses/decide.ts";
import type { Finding } from "../../steps/diagnoses/diagnosis.ts";
import { HUNDRED } from "../../steps/diagnoses/flat_reward_no_learning.ts";
import { upperBound } from "../../steps/diagnoses/differential/false_alarms.ts";
import { trainsSteps } from "../../steps/diagnoses/view/learning_rate.ts";
import { isPreference, isReinforcement } from "../../steps/diagnoses/view/groups.ts";
import type { RunView } from "../../steps/diagnoses/view/run_view.ts";
import { tableView } from "../../steps/diagnoses/view/table_view.ts";

const KINDS = ["rollouts", "pairs", "others"] as const;

/** A healthy run: what it trains on, how long it is, and what alarmed. */
interface Asked {
  readonly kind: typeof KINDS[number];
  /** Records of a simulated run; null of a real one. */
  readonly records: number | null;
  readonly alarms: readonly Finding[];
  /** The rules that could speak of it. */
  readonly heard: readonly string[];
}

const FLAT = "flat_reward_no_learning";

/** Simulated runs of so many seeds. A reward that stays where it is has no trend: there that rule is right. */
export function simulated(seeds: number): Asked[] {
  return (["rollouts", "pairs"] as const satisfies readonly Kind[]).flatMap((kind) =>
    LENGTHS.flatMap((records) =>
      Array.from({ length: seeds }, (_, i) => {
        return askedOf(viewOf(healthyRun(kind, records, i + 1)), { kind, records }, i % 2 === 1);
      })
    )
  );
}

/** What is said of a run. Of a reward that stays where it is, or too short for it, the rule of flat rewards is not asked. */
function askedOf(view: RunView, of: Pick<Asked, "kind" | "records">, isFlat = false): Asked {
  const said = heard(view), isAsked = (rule: string) => rule !== FLAT || !isFlat && trainsSteps(view) >= HUNDRED;
  return { ...of, alarms: said.alarms.filter(({ cause }) => isAsked(cause)), heard: said.heard.filter(isAsked) };
}

function kindOf(view: RunView): Asked["kind"] {
  return isReinforcement(view) ? "rollouts" : isPreference(view) ? "pairs" : "others";
}

/** The runs of a folder that are labelled benign. */
async function labelled(folder: string): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (const { path, label } of labelledCases(folder)) {
    const rows = label.verdict === "benign" ? await longestRun(path) : null;
    if (rows === null) continue;
    const view = tableView(rows);
    asked.push(askedOf(view, { kind: kindOf(view), records: null }));
  }
  return asked;
}

/** Runs by kind, and of each rule the alarms and the runs of each kind in which it could speak. */
export function tallied(asked: readonly Asked[]) {
  const count = (kind: Asked["kind"], test: (run: Asked) => boolean) =>
    asked.filter((run) => run.kind === kind && test(run)).length;
  return {
    runs: KINDS.map((kind) => count(kind, () => true)),
    rules: Object.fromEntries(DECISION_ORDER.map((rule) => [
      rule,
      KINDS.map((kind) =>
        [
          count(kind, ({ alarms }) => alarms.some(({ cause }) => cause === rule)),
          count(kind, ({ heard }) => heard.includes(rule)),
        ] as const
      ),
    ])),
  };
}

/** Share of the simulated runs of each length with any alarm, and with one that is no mere warning. */
function byLength(asked: readonly Asked[]): string[] {
  return LENGTHS.map((length) => {
    const own = asked.filter(({ records }) => records === length),
      share = (test: (run: Asked) => boolean) => `${own.filter(test).length}/${own.length}`.padStart(9);
    return `${String(length).padStart(6)} ${share(({ alarms }) => alarms.length > 0)} ${
      share(({ alarms }) => alarms.some(({ severity }) => severity !== "warning"))
    }`;
  });
}

const FILE = new URL("../../steps/diagnoses/differential/false_alarms.ts", import.meta.url);

/** The file with its table renewed. */
export function withTable(source: string, { rules }: ReturnType<typeof tallied>): string {
  const rows = Object.entries(rules).map(([cause, kinds]) =>
    `  ${cause}: [${kinds.map((pair) => `[${pair.join(", ")}]`).join(", ")}],`
  );
  const table = "type Measured = readonly (readonly [alarms: number, runs: number])[];\n" +
    `export const FALSE_ALARMS: Readonly<Record<string, Measured>> = {\n${rows.join("\n")}\n};\n`;
  return source.replace(/(\/\/ written by the benchmark\n)[^]*$/, (_, mark: string) => mark + table);
}

if (import.meta.main) {
  const { words, seeds, write, json } = typed(() =>
    benchArguments(Deno.args, { seeds: "200", write: false, json: false }, [0, 20])
  );
  const [count] = typed(() => numbers("--seeds", seeds));
  const folders = ["../slow", "../cases"].map((path) => new URL(path, import.meta.url).pathname);
  const asked = simulated(count!);
  for (const folder of [...folders, ...words]) asked.push(...await labelled(folder));
  const all = tallied(asked);
  if (write) await Deno.writeTextFile(FILE, withTable(await Deno.readTextFile(FILE), all));
  if (json) console.log(JSON.stringify(all));
  else {
    console.log(
      [
        "records  any alarm   no warning",
        ...byLength(asked),
        "",
        "runs of rollouts, pairs, others: " + all.runs.join(", "),
      ].join("\n"),
    );
    for (const [cause, kinds] of Object.entries(all.rules)) {
      if (kinds.every(([fired]) => fired === 0)) continue;
      const told = kinds.flatMap(([fired, runs]) =>
        runs === 0 ? [] : [`${fired} of ${runs}, at most ${(100 * upperBound(fired, runs)).toFixed(2)} %`]
      );
      console.log(cause.padEnd(32), told.join("; "));
    }
  }
}
