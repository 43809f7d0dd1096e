/** What a cell shows that ends with a run: what it is, how it ended, its tables and findings. @module */
import { type TableName, TABLES } from "../../data/columns.ts";
import type { Bundle } from "../../notebooks/display.ts";
import { VERDICT_WORDS } from "../doctor/examined.ts";
import type { RunResult } from "../engine/run_plan.ts";
import type { Run } from "./run.ts";

export function runBundle(run: Run): Bundle {
  const { manifest, findings, status } = run;
  const told = manifest
    ? [status ?? "of unknown status", ...verdictWords(run), `${manifest.train_step} train steps`, manifest.id]
    : [run.system ?? "of an unknown system"];
  const tables = (Object.keys(TABLES) as TableName[]).map((name) => [name, run.table(name).numRows()] as const)
    .filter(([, rows]) => rows > 0).map(([name, rows]) => `${name} (${rows})`);
  return bundleOfLines(`${run.name} · ${told.join(" · ")}`, [
    ["tables", tables.join(", ") || "none"],
    ...findings.map(({ severity, cause, train_steps: [step], message }) =>
      [`${severity}: ${cause}`, `${step === undefined ? "" : `train step ${step}: `}${message}`] as const
    ),
  ]);
}

/** In the words of the command line; what a run that goes on was called before it was resumed holds no longer than so far. */
function verdictWords({ verdict, status }: Run): string[] {
  return verdict ? [`${VERDICT_WORDS[verdict]}${status === "running" ? " so far" : ""}`] : [];
}

/** The same of what a run came to, before anybody has opened it. */
export function resultBundle({ runId, status, reason, verdict, evaluations, findings }: RunResult): Bundle {
  const told = [status, ...reason ? [reason] : [], ...verdict ? [VERDICT_WORDS[verdict.verdict]] : []];
  const scores = (values: object) => Object.entries(values).map(([name, value]) => `${name} ${value}`).join(", ");
  return bundleOfLines(`${runId} · ${told.join(" · ")}`, [
    ...Object.entries(evaluations).map(([id, values]) => [id, scores(values)] as const),
    ...findings.map(({ severity, cause, message }) => [`${severity}: ${cause}`, message] as const),
  ]);
}

function bundleOfLines(title: string, lines: readonly (readonly [string, string])[]): Bundle {
  const html = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const items = lines.map(([name, text]) => `<br><i>${html(name)}</i> ${html(text)}`).join("");
  return {
    "text/html": `<b>${html(title)}</b>${items}`,
    "text/plain": [title, ...lines.map(([name, text]) => `  ${name}  ${text}`)].join("\n"),
  };
}
