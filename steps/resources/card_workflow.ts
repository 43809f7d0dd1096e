/** What a model's card says of the workflow that trained it: steps, rewards, data, as the run's own copy has them. @module */
import { basename } from "node:path";
import { parse } from "yaml";
import { orElse } from "../../data/file_system.ts";

interface CardWorkflow {
  /** Kinds of step in the order of the file, each once. */
  readonly steps: readonly string[];
  /** Names of rewards; files by their name alone, for their folder is nobody else's business. */
  readonly rewards: readonly string[];
  /** Tasks, data sets and files, likewise. */
  readonly data: readonly string[];
  /** `ORG/NAME` of the data sets of the Hub. */
  readonly datasets: readonly string[];
}

const HUB = /^hf:datasets\/([\w.-]+\/[\w.-]+)/;

/** Reads workflow.yaml of a run; what cannot be read has nothing to say. */
export function cardWorkflow(text: string): CardWorkflow {
  const document = mapOf(orElse(() => parse(text, { maxAliasCount: 0, logLevel: "error" }), null));
  const steps = stepsIn(document["steps"]), params = mapOf(document["params"]);
  const said = (value: unknown) => typeof value === "string" ? lookedUp(value, params) : null;
  const data = steps.flatMap(({ with: given }) => {
    const { file, task } = mapOf(given), [path, name] = [said(file), said(task)];
    return [
      ...(path === null ? [] : [HUB.exec(path)?.[1] ?? basename(path)]),
      ...(name === null ? [] : [`task ${name}`]),
    ];
  });
  const rewards = steps.flatMap(({ with: given }) => listOf(mapOf(given)["rewards"])).flatMap((entry) => {
    const { uses, weight } = mapOf(entry), name = said(uses ?? entry);
    return name === null
      ? []
      : [`${basename(name)}${typeof weight === "number" && weight !== 1 ? ` × ${weight}` : ""}`];
  });
  const files = steps.flatMap(({ with: given }) => said(mapOf(given)["file"]) ?? []);
  const kinds = steps.flatMap(({ uses }) => typeof uses === "string" ? [uses] : []);
  return {
    steps: once(kinds),
    rewards: once(rewards),
    data: once(data),
    datasets: once(files.flatMap((file) => HUB.exec(file)?.[1] ?? [])),
  };
}

const once = (names: readonly string[]) => [...new Set(names)];
const listOf = (value: unknown): readonly unknown[] => Array.isArray(value) ? value : [];

function mapOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value as Record<string, unknown> : {};
}

/** Steps of blocks among them. */
function stepsIn(entries: unknown): Readonly<Record<string, unknown>>[] {
  return listOf(entries).map(mapOf).flatMap((entry) => "steps" in entry ? stepsIn(entry["steps"]) : [entry]);
}

/** A parameter's value in place of its look-up; a look-up of another kind was open when this was written. */
function lookedUp(text: string, params: Readonly<Record<string, unknown>>): string | null {
  const name = /^\$\{\{\s*params\.(\w+)\s*\}\}$/.exec(text.trim())?.[1];
  const value = name === undefined ? text : params[name];
  return typeof value === "string" && !value.includes("${{") ? value : null;
}
