/** The schedules of transformers with their options, as ours. @module */
import type { Given, Made } from "./table.ts";
import { isRecord, type Value } from "./written.ts";

/** A schedule by its name in transformers; `options` are its lr_scheduler_kwargs, `peak` the learning rate. */
export function scheduleOf(
  name: string,
  step: string,
  updates: number,
  options: Readonly<Record<string, Value>> = {},
  peak = 0,
): Made {
  const key = name.replace(/^SchedulerType\./, "").toLowerCase();
  const number = (option: string) => typeof options[option] === "number" ? options[option] : undefined;
  const shape = (schedule: string, more: Readonly<Record<string, unknown>> = {}): Made => ({
    set: {
      [`${step}.schedule`]: schedule,
      ...(ENDLESS.has(schedule) ? {} : { [`${step}.schedule_updates`]: updates }),
      ...Object.fromEntries(
        Object.entries(more).filter(([, value]) => value !== undefined).map(([option, value]) => [
          `${step}.schedule_${option}`,
          value,
        ]),
      ),
    },
  });
  switch (key) {
    case "constant":
    case "constant_with_warmup":
      return shape("constant");
    case "linear":
      return shape("linear");
    case "cosine":
      return shape("cosine", { cycles: number("num_cycles") });
    case "cosine_with_min_lr":
      return shape("cosine", { floor: floorOf(options, peak), cycles: number("num_cycles") });
    case "cosine_with_restarts":
      return shape("cosine_with_restarts", { cycles: number("num_cycles") });
    case "polynomial":
      return shape("polynomial", {
        floor: peak > 0 ? Math.min(1, (number("lr_end") ?? POLYNOMIAL_END) / peak) : 0,
        power: number("power"),
      });
    case "inverse_sqrt":
      return shape("inverse_sqrt", { timescale: number("timescale") });
    case "warmup_stable_decay": {
      const decay = number("num_decay_steps");
      if (decay === undefined) return { lacks: "num_decay_steps is not said; the learning rate stays constant" };
      return shape("warmup_stable_decay", {
        decay_updates: decay,
        floor: number("min_lr_ratio"),
        cycles: number("num_cycles"),
        decay_curve: options["decay_type"] === "1-sqrt" ? "sqrt" : options["decay_type"],
      });
    }
    default:
      return { lacks: `schedule "${name}" is not here; the learning rate stays constant` };
  }
}

/** Schedules without an end, and where transformers' polynomial ends. */
const ENDLESS = new Set(["constant", "inverse_sqrt"]);
const POLYNOMIAL_END = 1e-7;

/** The schedule's own options: a dict, or one by one with a dot. */
export function scheduleOptions(given: Given): Readonly<Record<string, Value>> {
  const options = given.value("lr_scheduler_kwargs"), own = isRecord(options) ? options : {};
  const dotted = SCHEDULE_OPTIONS.map((name) => [name, given.value(`lr_scheduler_kwargs.${name}`)] as const);
  return { ...Object.fromEntries(dotted.filter(([, value]) => value !== null)), ...own };
}

/** Their names. */
export const SCHEDULE_OPTIONS = [
  "min_lr",
  "min_lr_rate",
  "num_cycles",
  "power",
  "lr_end",
  "timescale",
  "num_decay_steps",
  "min_lr_ratio",
  "decay_type",
];

/** What cosine_with_min_lr falls to, as a fraction of the peak. */
function floorOf(options: Readonly<Record<string, Value>>, peak: number): number {
  const share = options["min_lr_rate"], least = options["min_lr"];
  return typeof share === "number" ? share : typeof least === "number" && peak > 0 ? Math.min(1, least / peak) : 0;
}
