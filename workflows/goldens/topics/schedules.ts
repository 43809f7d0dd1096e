/** Learning rates of transformers' schedules against those here. @module */
import { learningRate, type Schedule } from "../../../gpu/optimizers/schedules.ts";
import type { Check, TorchTopic } from "../topic.ts";

interface Case {
  readonly name: string;
  readonly options: Readonly<Record<string, number | string>>;
  readonly num_warmup_steps: number;
  readonly lr: readonly number[];
}
interface Document {
  readonly base_lr: number;
  readonly num_training_steps: number;
  readonly cases: readonly Case[];
}

/** Ours, by transformers' name; its `constant` does not warm up. */
const OURS: ReadonlyMap<string, Schedule> = new Map([
  ["constant", "constant"],
  ["constant_with_warmup", "constant"],
  ["linear", "linear"],
  ["cosine", "cosine"],
]);
const TOLERANCE = { relative: 0, absolute: 1e-12 };

export const schedules: TorchTopic = {
  about: "transformers' get_scheduler: the rate of every update, up to the last (gpu/optimizers/schedules.ts)",
  takes: (file) => file === "schedules",
  cases({ document }) {
    const given = document as unknown as Document;
    return given.cases.map((one, i) => ({ name: `${one.name}/${i}`, checks: () => checksOf(one, given) }));
  },
};

function checksOf({ name, options, num_warmup_steps, lr }: Case, given: Document): Check[] {
  const schedule = OURS.get(name), updates = given.num_training_steps;
  if (schedule === undefined || Object.keys(options).length > 0) {
    throw new RangeError(
      `Cannot follow schedule "${name}" with ${JSON.stringify(options)}: there is none like it here`,
    );
  }
  const warmup = name === "constant" ? 0 : num_warmup_steps;
  // Past the end transformers' cosine rises again, ours stays at 0.
  const want = lr.slice(0, updates + 1);
  const got = want.map((_, update) => learningRate(schedule, update, { peak: given.base_lr, updates, warmup }));
  return [{ name: "lr", want, got, tolerance: TOLERANCE }];
}
