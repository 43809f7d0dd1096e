/** The plan of a run as text or JSON: `run --dry-run`. @module */
import { byteText } from "../../data/byte_text.ts";
import { Faults } from "../../steps/faults/inject.ts";
import { grantsOf } from "../plan/grants.ts";
import { describePlan, type PlanLine } from "../plan/describe.ts";
import { estimate } from "../preflight/estimate.ts";
import { preflight } from "../preflight/preflight.ts";
import type { HalvingPlan } from "../plan/halving.ts";
import type { Plan } from "../plan/plan.ts";
import { duration, printable, stdout, wrapped } from "../terminal/terminal.ts";

/** Prints steps, tables, resources, parameters, shapes, estimated time and memory, and what cannot work. */
export async function printPlan(plan: Plan, json: boolean): Promise<void> {
  const description = describePlan(plan), estimated = await estimate(plan), grants = grantsOf(plan);
  const found = (await preflight(plan)).filter(({ severity }) => severity !== "info");
  if (json) {
    const may = grants.map(({ text, place }) => ({ text, place }));
    const problems = found.map(({ rule, severity, file, position, message }) => ({
      rule,
      severity,
      file,
      ...position,
      message,
    }));
    stdout.json(JSON.stringify({ event: "plan", ...description, estimate: estimated, may, problems }));
    return;
  }
  const { settings } = description;
  const about = description.about === "" ? "" : `  ${printable(description.about)}`;
  stdout.line(`${stdout.style(printable(description.name), "bold")}${about}`);
  stdout.line(
    `  ${
      printable(description.file)
    }; seed ${settings.seed}, device ${settings.device}, checkpoint every ${settings.checkpoint.every} train steps`,
  );
  const params = Object.entries({ ...description.params, ...description.matrix }).map(([k, v]) =>
    printable(`${k}=${v}`)
  );
  if (params.length) stdout.line(`  ${params.join("  ")}`);
  for (const { text, place } of grants) {
    stdout.line(`  ${stdout.style("may", "yellow")}  ${printable(`${place}: it ${text}`)}`);
  }
  for (const line of new Faults(settings.faults).lines) stdout.line(`  ${printable(line)}`);
  stdout.line();
  for (const line of description.lines) for (const text of planLine(line)) stdout.line(text);
  stdout.line();
  const { stepCount, rounds, tables } = description;
  for (
    const text of [
      `${stepCount} steps, ${rounds} rounds; tables ${tables.join(", ")}`,
      ...estimated.told.map(printable),
      ...Object.entries(estimated.shapes).map(([name, shape]) => `${name}: ${shape}`),
      `estimated: ${duration(estimated.seconds)} of computing, ${
        byteText(estimated.memoryBytes)
      } of memory (rough: ${estimated.basis})`,
      ...memoryLines(estimated),
    ]
  ) for (const line of below(text, "")) stdout.line(line);
  for (const { text } of found) stdout.line(text);
}

/** How the runs of a matrix will be compared, and what that saves. */
export function printHalving(
  { metric, mode, factor, rungs, groups, sizes, trainSteps }: HalvingPlan,
  plans: readonly Plan[],
  json: boolean,
): void {
  if (json) {
    const cells = groups.map((group) => group.map((cell) => plans[cell]!.matrix));
    stdout.json(
      JSON.stringify({ event: "halving", metric, mode, factor, rungs, sizes, groups: cells, train_steps: trainSteps }),
    );
    return;
  }
  const several = groups.length < plans.length ? ` (${plans.length} runs, judged by their mean over seeds)` : "";
  const { all, halved } = trainSteps, saved = Math.round(100 * (1 - halved / all));
  stdout.line();
  for (
    const text of [
      `halving by ${metric} (${mode}): ${groups.length} combinations${several}`,
      ...rungs.map((rung, i) => `after train step ${rung}: ${sizes[i + 1]} of ${sizes[i]} go on`),
      `${sizes.at(-1)} to the end; about ${halved} of ${all} train steps (${saved} % saved)`,
    ]
  ) for (const line of below(text, "")) stdout.line(line);
}

/** The peak against the budget, and what follows from it. */
function memoryLines({ memory, memoryBytes }: Awaited<ReturnType<typeof estimate>>): string[] {
  if (memory === null) return [];
  const share = Math.round(100 * memoryBytes / memory.bytes);
  const chosen = Object.entries(memory.atOnce).map(([step, what]) => `${step} ${what}`);
  return [
    `memory: ${byteText(memoryBytes)} at the peak of ${byteText(memory.bytes)} allowed (${share} %)` +
    (chosen.length === 0 ? "" : `; at once: ${chosen.join(", ")}`),
  ];
}

function planLine(line: PlanLine): string[] {
  const pad = "  ".repeat(line.depth + 1);
  if (line.type === "repeat") {
    return [
      `${pad}${stdout.style(`repeat ${line.times} times`, "bold")}${
        line.condition ? ` until ${printable(line.condition)}` : ""
      }`,
    ];
  }
  const io = [
    line.reads.length ? `reads ${line.reads.join(", ")}` : "",
    line.writes.length ? `writes ${line.writes.join(", ")}` : "",
    line.needs.length ? `needs ${line.needs.join(", ")}` : "",
    line.gives.length ? `gives ${line.gives.join(", ")}` : "",
  ].filter(Boolean).join("; ");
  const given = Object.entries(line.params).filter(([, v]) => v !== undefined).map(([k, v]) =>
    `${k}=${JSON.stringify(v)}`
  ).join(" ");
  return [
    `${pad}${stdout.style(line.id, "bold")}${line.id === line.uses ? "" : ` (${line.uses})`}${
      line.times > 1 ? ` × ${line.times}` : ""
    }${line.condition ? ` if ${printable(line.condition)}` : ""}`,
    ...(io ? below(io, pad).map((text) => stdout.style(text, "dim")) : []),
    ...(given ? below(given.length > 300 ? `${given.slice(0, 300)}…` : given, pad) : []),
  ];
}

/** A long text under a step, within the terminal. */
function below(text: string, pad: string): string[] {
  return wrapped(text, stdout.columns - pad.length - 3).map((line) => `${pad}  ${line}`);
}
