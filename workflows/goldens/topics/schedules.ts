/** Learning rates of transformers' schedules against those here. @module */
import { learningRate, type Schedule, type ScheduleShape } from "../../../gpu/optimizers/schedules.ts";
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

/** Ours, by transformers' name. */
const OURS: ReadonlyMap<string, Schedule> = new Map([
  ["constant", "constant"],
  ["constant_with_warmup", "constant"],
  ["linear", "linear"],
  ["cosine", "cosine"],
  ["cosine_with_restarts", "cosine_with_restarts"],
  ["cosine_with_min_lr", "cosine"],
  ["polynomial", "polynomial"],
  ["inverse_sqrt", "inverse_sqrt"],
  ["warmup_stable_decay", "warmup_stable_decay"],
]);
/** The rate at the end that transformers gives a polynomial by default. */
const POLYNOMIAL_END = 1e-7;

/** transformers' options of a schedule as ours; its rates at the end are absolute, ours parts of the peak. */
function shapeOf(name: string, options: Case["options"], peak: number): ScheduleShape {
  const number = (key: string) => options[key] === undefined ? undefined : Number(options[key]);
  const end = number("min_lr") ?? (name === "polynomial" ? number("lr_end") ?? POLYNOMIAL_END : undefined);
  const curve = (key: string) => {
    const named = options[key];
    return named === undefined ? undefined : (named === "1-sqrt" ? "sqrt" : named) as ScheduleShape["decayCurve"];
  };
  return {
    cycles: number("num_cycles"),
    floor: number("min_lr_rate") ?? number("min_lr_ratio") ?? (end === undefined ? undefined : end / peak),
    power: number("power"),
    timescale: number("timescale"),
    decayUpdates: number("num_decay_steps"),
    decayCurve: curve("decay_type"),
    warmupCurve: curve("warmup_type"),
  };
}

const TOLERANCE = { relative: 0, absolute: 1e-12 };

export const schedules: TorchTopic = {
  about: "transformers' get_scheduler: the rate of every update (gpu/optimizers/schedules.ts)",
  takes: (file) => file === "schedules",
  cases({ document }) {
    const given = document as unknown as Document;
    return given.cases.map((one, i) => ({ name: `${one.name}/${i}`, checks: () => checksOf(one, given) }));
  },
};

function checksOf({ name, options, num_warmup_steps, lr }: Case, given: Document): Check[] {
  const schedule = OURS.get(name), { base_lr: peak, num_training_steps: updates } = given;
  if (schedule === undefined) throw new RangeError(`Cannot follow schedule "${name}": there is none like it here`);
  // transformers' constant does not warm up; past the end it goes on as its formula does.
  const warmup = name === "constant" ? 0 : num_warmup_steps, shape = shapeOf(name, options, peak);
  const got = lr.map((_, update) =>
    learningRate(schedule, update, { peak, updates, warmup, shape, pastEnd: "goes on" })
  );
  return [{ name: "lr", want: lr, got, tolerance: TOLERANCE }];
}
