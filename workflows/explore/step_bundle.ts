/** What a cell shows that ends with a step of a workflow, or with the workflow itself. @module */
import { type Bundle, tableBundle } from "../../notebooks/display.ts";
import type { StepRun } from "./session.ts";

/** Rows of each table: as many as a group often has. */
const ROWS = 8;

/** The step's outputs, and the first rows of the tables it wrote. */
export function stepBundle({ step, trainStep, outputs, tables }: StepRun): Bundle {
  const said = Object.entries(outputs).map(([name, value]) => `${name} ${shortened(value)}`).join(", ");
  const title = `${step} · train step ${trainStep}`;
  const parts = Object.entries(tables).filter(([, table]) => table.numRows() > 0).map(([name, table]) => {
    const { "text/html": html, "text/plain": text } = tableBundle(table, ROWS);
    return { html: `<p><b>${name}</b></p>${html}`, text: `${name}\n${text}` };
  });
  return {
    "text/html": `<b>${title}</b>${said ? `<br>${said}` : ""}${parts.map(({ html }) => html).join("")}`,
    "text/plain": [title, ...said ? [said] : [], ...parts.map(({ text }) => text)].join("\n"),
  };
}

/** The steps in their order, the one that comes next marked. */
export function stepsBundle(name: string, steps: readonly string[], next: string | null, trainStep: number): Bundle {
  const place = next === null ? "at its end" : `next ${next}`;
  return { "text/plain": `${name} · train step ${trainStep} · ${place}\n  ${steps.join(" → ")}` };
}

const shortened = (value: unknown) => typeof value === "number" ? Number(value.toPrecision(4)) : value;
