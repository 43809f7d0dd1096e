/** What must be equal for a resume to continue bitwise, and the list of differences when it is not. @module */
import type { Plan, PlanNode } from "../plan/plan.ts";
import { canonicalJson } from "../../data/digest.ts";
import type { RunEnvironment } from "./environment.ts";
import { namedFiles } from "./named_files.ts";

/** The identity of a run, as kept in run.json. */
export type Identity = Readonly<Record<string, unknown>>;

const SHOWN = 6; // Differences that the message names.

/** A resume was refused because the run would not be the same; the command line exits 2. */
export class DriftError extends Error {
  override readonly name = "DriftError";
  constructor(run: string, readonly differences: readonly string[], checkpoint: string | null = null) {
    const isFile = differences.some((text) => /^(?:workflow|params|seed)\b/.test(text));
    const where = isFile && checkpoint !== null ? ` (as it ran: checkpoints/${checkpoint}/workflow.yaml)` : "";
    super(
      `Cannot resume run "${run}" bitwise: ${differences.slice(0, SHOWN).join("; ")}${
        differences.length > SHOWN ? ` and ${differences.length - SHOWN} more` : ""
      }; ` +
        `restore these${where}, or pass --allow-drift to continue with the new values`,
    );
  }
}

/** Everything that decides the numbers. What only decides how a run is stored (checkpoint, schedule) is left out. */
export function identityOf(plan: Plan, environment: RunEnvironment): Identity {
  return JSON.parse(canonicalJson({
    workflow: workflowOf(plan),
    ...settingsOf(plan, environment),
    keep_completions: plan.settings.keepCompletions,
    nonzero: environment.versions.nonzero ?? "unknown",
    onnxruntime: environment.versions.onnxruntime ?? "unknown",
    ...Object.fromEntries(Object.entries(namedFiles(plan)).map(([name, digest]) => [`content of ${name}`, digest])),
  }));
}

/** What the workflow itself decides: its steps with all that they are given. */
export function workflowOf({ name, steps, settings: { faults, repair } }: Plan): Identity {
  return JSON.parse(canonicalJson({ name, steps: steps.map(identityNode), faults, repair }));
}

/** What the identity and run.json both say of a run beside its workflow. */
export function settingsOf({ params, matrix, settings: { seed, deterministic } }: Plan, environment: RunEnvironment) {
  const { device, backend, threads, cpuClass: cpu_class } = environment;
  return { params, matrix, seed, deterministic, device, backend, threads, cpu_class };
}

/** A step or a block as it will run: with every default, so that the file and its resolved copy are the same workflow. */
function identityNode(node: PlanNode): unknown {
  if (node.type === "repeat") return { repeat: node.repeat, until: node.until, steps: node.steps.map(identityNode) };
  const { id, uses, condition, every, retry, timeoutMinutes, continueOnError, cache } = node;
  return {
    id,
    uses,
    with: node.params ?? node.with,
    if: condition,
    every,
    retry,
    timeoutMinutes,
    continueOnError,
    cache,
  };
}

/** `params.learning_rate is 0.001, was 0.0001`, one per differing value. */
export function differences(now: Identity, was: Identity): string[] {
  const [left, right] = [flatten(now), flatten(was)];
  const names = [...new Set([...right.keys(), ...left.keys()])];
  return names.filter((name) => left.get(name) !== right.get(name))
    .map((name) => `${name} is ${left.get(name) ?? "absent"}, was ${right.get(name) ?? "absent"}`);
}

function flatten(value: unknown, path = "", found = new Map<string, string>()): Map<string, string> {
  const branch = typeof value === "object" && value !== null && Object.keys(value).length > 0;
  if (!branch) found.set(path, JSON.stringify(value));
  else {
    for (const [key, item] of Object.entries(value)) {
      flatten(item, path === "" ? key : Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`, found);
    }
  }
  return found;
}
