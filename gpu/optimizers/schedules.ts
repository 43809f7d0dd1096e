/** Learning-rate schedules: a factor of the peak rate for every update. Source: transformers `optimization.py`. @module */

/** How a curve falls from 1 to 0 while progress goes from 0 to 1. */
export const CURVES = {
  linear: (progress) => 1 - progress,
  /** Half a cosine per half cycle. */
  cosine: (progress, cycles) => 0.5 * (1 + Math.cos(2 * Math.PI * cycles * progress)),
  sqrt: (progress) => 1 - Math.sqrt(progress),
} as const satisfies Record<string, (progress: number, cycles: number) => number>;

type Curve = keyof typeof CURVES;

/** What some schedules read; defaults are transformers'. */
export interface ScheduleShape {
  /** cosine 0.5, cosine_with_restarts 1. */
  readonly cycles?: number | undefined;
  /** Least factor, of 1; 0. */
  readonly floor?: number | undefined;
  readonly power?: number | undefined;
  /** Updates after which inverse_sqrt has fallen to 1/√2; the warm-up, or 10,000 without one. */
  readonly timescale?: number | undefined;
  /** Updates at the end in which warmup_stable_decay falls. */
  readonly decayUpdates?: number | undefined;
  readonly decayCurve?: Curve | undefined;
  readonly warmupCurve?: Curve | undefined;
}

/** A place after warm-up. */
interface Place {
  /** 0 at the end of warm-up, 1 at the last update. */
  readonly progress: number;
  /** Updates since the end of warm-up, and up to the last one. */
  readonly since: number;
  readonly whole: number;
  readonly warmup: number;
  readonly shape: ScheduleShape;
}

interface Schedules {
  /** Options of ScheduleShape that it reads. */
  readonly reads: readonly (keyof ScheduleShape)[];
  /** It runs on for ever: no number of updates is needed. */
  readonly endless?: true;
  factor(place: Place): number;
}

const raised = (factor: number, floor = 0) => Math.max(0, factor * (1 - floor) + floor);
const TIMESCALE = 10_000;

export const SCHEDULES = {
  constant: { reads: [], endless: true, factor: () => 1 },
  linear: {
    reads: ["floor"],
    factor: ({ progress, shape: { floor } }) => raised(Math.max(0, 1 - progress), floor),
  },
  cosine: {
    reads: ["cycles", "floor"],
    factor: ({ progress, shape: { cycles = 0.5, floor } }) => raised(CURVES.cosine(progress, cycles), floor),
  },
  cosine_with_restarts: {
    reads: ["cycles"],
    factor: ({ progress, shape: { cycles = 1 } }) =>
      progress >= 1 ? 0 : Math.max(0, CURVES.cosine(cycles * progress % 1, 0.5)),
  },
  polynomial: {
    reads: ["floor", "power"],
    factor: ({ progress, shape: { floor, power = 1 } }) => raised(Math.max(0, 1 - progress) ** power, floor),
  },
  inverse_sqrt: {
    reads: ["timescale"],
    endless: true,
    factor({ since, warmup, shape }) {
      const timescale = shape.timescale ?? (warmup || TIMESCALE);
      return 1 / Math.sqrt((since + timescale) / timescale);
    },
  },
  warmup_stable_decay: {
    reads: ["floor", "cycles", "decayUpdates", "decayCurve", "warmupCurve"],
    factor({ since, whole, shape: { floor = 0, cycles = 0.5, decayUpdates = 0, decayCurve = "cosine" } }) {
      const fallen = since - (whole - decayUpdates);
      if (fallen < 0) return 1;
      return fallen >= decayUpdates ? floor : raised(CURVES[decayCurve](fallen / decayUpdates, cycles), floor);
    },
  },
} as const satisfies Record<string, Schedules>;

export type Schedule = keyof typeof SCHEDULES;

interface ScheduleSettings {
  /** Learning rate after warm-up. */
  readonly peak: number;
  /** Updates of the whole run. */
  readonly updates: number;
  /** Updates over which the rate grows from 0. */
  readonly warmup?: number;
  readonly shape?: ScheduleShape;
  /** What comes after the last update: the rate stays at its end, or goes on as in transformers, whose cosine rises again. */
  readonly pastEnd?: "stays" | "goes on";
}

/** Learning rate of update `update` (from 0). */
export function learningRate(
  schedule: Schedule,
  update: number,
  { peak, updates, warmup = 0, shape = {}, pastEnd = "stays" }: ScheduleSettings,
): number {
  const entry: Schedules = SCHEDULES[schedule];
  if (update < warmup) {
    const grown = CURVES[shape.warmupCurve ?? "linear"](1 - update / warmup, 0.5);
    return peak * (entry.reads.includes("warmupCurve") ? raised(grown, shape.floor) : update / warmup);
  }
  const whole = Math.max(0, updates - warmup);
  const since = pastEnd === "stays" && !entry.endless ? Math.min(update - warmup, whole) : update - warmup;
  return peak * entry.factor({ progress: since / Math.max(1, whole), since, whole, warmup, shape });
}
