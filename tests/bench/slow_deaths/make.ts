/** Makes the cases of one kind, seed and size: the twin first, then the run that shall die; a label says what became of it. @module */
import { join } from "node:path";
import { isFile } from "../../../data/file_system.ts";
import { type Base, type Document, type Draw, EVALUATE_EVERY, type Size } from "./documents.ts";
import { HEALTHY } from "./healthy.ts";
import type { Kind } from "./kind.ts";
import { KINDS } from "./kinds.ts";
import { evaluations, logRows } from "./record.ts";
import { runDocument, warmFolder, warmModel, writeCase } from "./run_case.ts";
import { part, type Points } from "./truth.ts";

export interface Maker {
  readonly seed: number;
  readonly size: Size;
  readonly zip: boolean;
  /** Absolute folders: of cases, of runs and warm models. */
  readonly out: string;
  readonly work: string;
  readonly say: (line: string) => void;
}

/** FNV-1a: a number for a text. */
function hash(text: string): number {
  let state = 2166136261;
  for (let i = 0; i < text.length; i++) state = Math.imul(state ^ text.charCodeAt(i), 16777619);
  state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
  return (state ^ (state >>> 13)) >>> 0;
}

/** What a kind draws with a seed and a size; hears which warm models it wants. */
export function drawOf(
  name: string,
  { seed, size, work }: Pick<Maker, "seed" | "size" | "work">,
  bases = new Set<Base>(),
): Draw {
  const warm = (base: Base) => {
    bases.add(base);
    return warmFolder(base, size, seed, work);
  };
  const luck = hash(`${name} ${seed} ${size}`) / 2 ** 32;
  return { seed, size, warm, between: (low, high) => Number((low * (high / low) ** luck).toPrecision(3)) };
}

const short = (value: number) => Number(value.toPrecision(3));
/** Start, best and end of a curve. */
function summary(points: Points) {
  const values = points.map(([, value]) => value);
  return { start: short(values[0] ?? NaN), best: short(Math.max(...values)), end: short(part(points, 0.75, 1)) };
}

/** What a label says of any case. */
function labelOf(document: Document, { seed, size }: Maker, name: string, held: Points, steps: number) {
  const steps_of = JSON.stringify(document.steps);
  const algorithm = /"loss":"(dpo|kto)"/.exec(steps_of)?.[1] ??
    (steps_of.includes("load_critic") ? "ppo" : steps_of.includes('"rloo"') ? "rloo" : "grpo");
  return {
    system: "nonzero",
    algorithm,
    evidence: [],
    confidence: "gold",
    must_not: [],
    last_step: steps,
    evaluate_every: EVALUATE_EVERY,
    held_out: summary(held),
    seed,
    size,
    kind: name,
  };
}

/** A run that did not die of its cause, and ends farther behind its twin than this, is neither healthy nor known. */
const LOST = 0.1;
const BENIGN = { verdict: "benign", primary: "healthy", causes: ["healthy"], onset_step: null };

/** Runs a document into a case, unless it is there; `label` sees its log and its held-out accuracy. */
async function make(
  folder: string,
  document: Document,
  bases: ReadonlySet<Base>,
  maker: Maker,
  label: (column: (name: string) => Points, held: Points, steps: number) => object,
): Promise<void> {
  if (isFile(join(folder, "label.json"))) return;
  const started = performance.now();
  for (const base of bases) await warmModel(base, maker.size, maker.seed, maker.work);
  await runDocument(document, maker.work, async (run) => {
    const rows = logRows(run), held = evaluations(run).get("held_out") ?? [];
    const column = (name: string) =>
      rows.flatMap((row) => typeof row[name] === "number" ? [[row["step"] as number, row[name]] as const] : []);
    const made = label(column, held, rows.at(-1)!["step"] as number);
    await writeCase(run, folder, { ...made, held_out_points: held }, maker.zip);
    const { primary, onset_step: onset, held_out: truth } = made as Record<string, unknown>;
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    maker.say(`${folder.split("/").at(-1)} ${primary} from ${onset ?? "-"} ${JSON.stringify(truth)} ${seconds} s`);
  });
}

const pointsOf = async (folder: string): Promise<Points> =>
  (JSON.parse(await Deno.readTextFile(join(folder, "label.json"))) as { held_out_points: Points }).held_out_points;

/** The twin, which several kinds may share, and the run. One that lives is labelled healthy. */
export async function makeKind(name: keyof typeof KINDS, maker: Maker): Promise<void> {
  const kind: Kind = KINDS[name], bases = new Set<Base>(), draw = drawOf(name, maker, bases);
  const named = (of: string) => join(maker.out, `${of}-${maker.size}-${maker.seed}`);
  const twin = kind.twin(draw), { seed: _, ...shape } = twin;
  const warm = new RegExp(`${maker.work}[^"]*`, "g");
  const twinFolder = named(`clean_${hash(JSON.stringify(shape).replaceAll(warm, "")).toString(36)}`);
  const document = kind.document(draw);
  try {
    await make(twinFolder, twin, bases, maker, (_, held, steps) => ({
      ...BENIGN,
      ...labelOf(twin, maker, "clean", held, steps),
      mechanism: `a run without a cause; first the twin of ${name}`,
    }));
    const twinHeld = await pointsOf(twinFolder);
    await make(named(name), document, bases, maker, (column, held, steps) => {
      const onset = kind.died({ held, twin: twinHeld, column });
      const lost = part(twinHeld, 0.75, 1) - part(held, 0.75, 1);
      if (onset === null && lost > LOST) {
        throw new Error(`it ends ${short(lost)} behind its twin by no known way, and is thrown away`);
      }
      const verdict = onset === null ? BENIGN : {
        verdict: "faulty",
        primary: kind.cause,
        causes: [kind.cause, ...kind.also],
        onset_step: Math.max(onset, kind.from),
      };
      return {
        ...verdict,
        ...labelOf(document, maker, name, held, steps),
        mechanism: onset === null ? `lived although: ${kind.why}` : kind.why,
        cause_from: kind.from,
        twin: twinFolder.split("/").at(-1),
        twin_held_out: summary(twinHeld),
      };
    });
  } catch (error) {
    maker.say(`FAILED ${name} ${maker.size} ${maker.seed}: ${(error as Error).message}`);
  }
}

/** A healthy run; one whose held-out accuracy ends below its start is thrown away. */
export async function makeHealthy(name: keyof typeof HEALTHY, maker: Maker): Promise<void> {
  const bases = new Set<Base>(), draw = drawOf(name, maker, bases), { why, document: build, lives } = HEALTHY[name];
  const document = build(draw), folder = join(maker.out, `${name}-${maker.size}-${maker.seed}`);
  try {
    await make(folder, document, bases, maker, (column, held, steps) => {
      if (!lives({ held, twin: held, column })) throw new Error("it did not live, and is thrown away");
      return { ...BENIGN, ...labelOf(document, maker, name, held, steps), mechanism: why };
    });
  } catch (error) {
    maker.say(`FAILED ${name} ${maker.size} ${maker.seed}: ${(error as Error).message}`);
  }
}
