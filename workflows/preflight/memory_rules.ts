/** The rule on memory: what a step computes at once fits this machine. @module */
import type { OptimizerStateKind } from "../../gpu/optimizers/moments.ts";
import type { Peak } from "../../steps/cost/cost.ts";
import { frozenBytes, PROCESS_BYTES, trainedBytes } from "../../steps/cost/memory.ts";
import type { PlannedStep } from "../plan/plan.ts";
import { costsOf } from "./costs.ts";
import type { Facts } from "./facts.ts";
import { trainedLayout } from "./lora_rules.ts";
import { at, type Report } from "./finding.ts";

/** A peak with its step; its bytes are those of the whole process. */
interface StepPeak extends Peak {
  readonly step: PlannedStep;
}

/** A step whose peak is beyond the machine's memory dies in it; a GPU's memory is another one, of which nothing is known. */
export function memory(facts: Facts): Report[] {
  if (facts.plan.settings.device === "cuda") return [];
  const most = facts.memoryBytes;
  const beyond = peaksOf(facts).filter(({ bytes }) => bytes > most);
  // Where the model alone does not fit, nothing else needs to be said.
  const told = beyond.some(({ key }) => key === "model") ? beyond.slice(0, 1) : beyond;
  return told.map(({ step, key, bytes, what, remedy }) => ({
    severity: "error",
    refuses: true,
    message: `${what} takes about ${gigabytes(bytes)} of memory and this machine has ${gigabytes(most)}; ${remedy}`,
    path: at(step, key),
  }));
}

/** Peaks of a plan's steps, the model's own first; none while its configuration is not known. */
export function peaksOf(facts: Facts): StepPeak[] {
  const { model } = facts;
  if (model?.config == null || model.layout === null) return [];
  const trained = trainedLayout(model)?.count ?? 0, frozen = model.loaded.params.lora ? model.layout.count : 0;
  const fixed = PROCESS_BYTES + frozenBytes(frozen) + trainedBytes(trained, momentsOf(facts));
  return [
    { step: model.loaded.step, key: "model", bytes: fixed, what: "training the model", remedy: "take a smaller one" },
    ...costsOf(facts).map(({ step, cost: { peak } }) => ({ ...peak, step, bytes: fixed + peak.bytes })),
  ];
}

/** How moments are stored: as float32 unless every step that trains says otherwise. */
function momentsOf({ steps }: Facts): OptimizerStateKind {
  const kinds = steps.flatMap(({ step: { params } }) =>
    params !== null && "optimizer_state" in (params as object)
      ? [(params as { optimizer_state: OptimizerStateKind }).optimizer_state]
      : []
  );
  return kinds.length > 0 && kinds.every((kind) => kind === "int8") ? "int8" : "float32";
}

/** Gigabytes from which a size is written in terabytes, and from which without a decimal. */
const TERABYTES = 1e4, WHOLE = 10;

function gigabytes(bytes: number): string {
  const size = bytes / 1e9;
  return size >= TERABYTES
    ? `${Math.round(size / 1000)} TB`
    : size >= WHOLE
    ? `${Math.round(size)} GB`
    : `${size.toFixed(1)} GB`;
}
