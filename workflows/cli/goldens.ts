/** `goldens`: computes what other programs computed on the same inputs, and compares. @module */
import { defineCommand } from "./command.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { pathArgument, shownPath } from "../terminal/paths.ts";
import { isFolder } from "../../data/file_system.ts";
import type { Verdict } from "../goldens/judge.ts";
import { summarize, type TopicSummary } from "../goldens/summary.ts";
import { printable, shortened, stdout, textTable } from "../terminal/terminal.ts";

/** Failures that are named in all, three of a topic at most. */
const NAMED = 24;

export const goldens = defineCommand({
  about: "Compare the formulas here with values of TRL, verl, OpenRLHF, torch: per topic, cases and largest error",
  usage: "DIR [--filter TEXT] [--models DIR] [--json]",
  words: [1, 1],
  options: {
    filter: { about: "only cases whose topic or name contains this", value: "TEXT" },
    models: { about: "folder of the models that goldens name (default: models/ beside or above DIR)", value: "DIR" },
    json: { about: "one JSON object" },
  },
  notes: [
    "DIR holds files NAME.json: formulas (source and cases with params, inputs, outputs), or whole models with " +
    "tensors beside them. A topic that is not known counts as failed. Exit code 1 when a case fails.",
  ],
  examples: ["tests/goldens/formulas --filter trl_dpo/robust"],
  async run([typed], { filter, models, json }) {
    const folder = pathArgument(typed!), modelsFolder = models === undefined ? null : pathArgument(models);
    for (const place of [folder, ...(modelsFolder === null ? [] : [modelsFolder])]) {
      if (!isFolder(place)) {
        throw new UsageError(
          `Cannot read goldens: ${shownPath(place)} is no folder, want one that holds NAME.json files`,
        );
      }
    }
    const { runGoldens } = await import("../goldens/run_goldens.ts");
    const verdicts = await runGoldens(folder, { models: modelsFolder, filter: filter ?? null });
    if (!verdicts.length) throw new UsageError(`Cannot compare anything: no case has "${filter}" in its topic or name`);
    const summaries = summarize(verdicts), passed = verdicts.filter(({ failure }) => failure === null).length;
    if (json) stdout.json(JSON.stringify({ cases: verdicts.length, passed, topics: summaries }));
    else printSummaries(summaries, verdicts, passed);
    return passed === verdicts.length ? 0 : 1;
  },
});

function printSummaries(summaries: readonly TopicSummary[], verdicts: readonly Verdict[], passed: number): void {
  const shownError = (error: number | null) =>
    error === null ? "–" : error === 0 ? "0" : Number.isFinite(error) ? error.toExponential(1) : "differs";
  const rows = summaries.map(({ topic, cases, passed, float64, float32, implemented }) => [
    printable(topic),
    String(cases),
    String(passed),
    shownError(float64),
    shownError(float32),
    passed === cases ? "" : implemented ? "FAILED" : "not implemented",
  ]);
  const total = ["all", String(verdicts.length), String(passed), "", "", ""];
  const lines = textTable(["topic", "cases", "passed", "float64", "float32", ""], [...rows, total]);
  for (const line of lines) stdout.line(line);
  const failures = summaries.filter(({ implemented }) => implemented).flatMap(({ failures }) => failures);
  if (failures.length) stdout.line("");
  for (const { case: name, failure } of failures.slice(0, NAMED)) {
    stdout.line(shortened(`${printable(name)}: ${printable(failure)}`, Math.max(stdout.columns, 80)));
  }
}
