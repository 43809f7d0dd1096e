/** The labelled cases of a folder: a folder each, whose label.json says what is wrong with the run beside it. @module */
import { join } from "node:path";
import { UsageError } from "../../../workflows/terminal/usage_error.ts";

/** What a label.json says; keys that no benchmark reads are left out. */
export interface Label {
  readonly system: string;
  readonly algorithm: string;
  readonly verdict: "faulty" | "benign" | "insufficient";
  readonly primary: string;
  readonly causes: readonly string[];
  readonly must_not: readonly string[];
  readonly confidence: string;
  /** Of a slow death: train step in which it began, and the last one of the run. */
  readonly onset_step?: number | null;
  readonly last_step?: number;
}

export interface LabelledCase {
  readonly name: string;
  /** Its folder. */
  readonly path: string;
  readonly label: Label;
}

/** In order of their names; folders without a label.json are none. Throws UsageError where there is no case. */
export function labelledCases(folder: string): LabelledCase[] {
  const names = [...Deno.readDirSync(folder)].filter(({ isDirectory }) => isDirectory).map(({ name }) => name).sort();
  const cases = names.flatMap((name) => {
    const path = join(folder, name), label = labelOf(path);
    return label === null ? [] : [{ name, path, label }];
  });
  if (cases.length === 0) throw new UsageError(`Cannot read cases of "${folder}": it holds none with a label.json`);
  return cases;
}

function labelOf(path: string): Label | null {
  try {
    return JSON.parse(Deno.readTextFileSync(join(path, "label.json")));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

/** True if a name is one that the label of a faulty run accepts. */
export function accepts({ verdict, causes }: Label, cause: string | undefined): boolean {
  return verdict === "faulty" && cause !== undefined && causes.includes(cause);
}
