/** The table of train steps that a run's progress shows: its columns, when it will end, which of its rows stay. @module */
import type { StepEvent } from "../../steps/step.ts";
import { Eta, type Expected } from "./eta.ts";

interface Column {
  readonly title: string;
  readonly width: number;
  /** Left out first where the terminal is narrow; 0 = always there. */
  readonly rank: number;
  /**
   * The metric without which it is left out, as its first train step has it: without a reference there is no kl, and a
   * reward model has no entropy.
   */
  readonly needs?: Partial<Record<"own" | "rounds", string>>;
  /** Of steps that train by themselves, of the rounds, or of both. */
  readonly of: "own" | "rounds" | "both";
  text(row: StepEvent): string;
}

function metric(name: string, digits: number): (row: StepEvent) => string {
  return (row) => {
    const value = row[name];
    if (value === null || value === undefined) return "–";
    if (typeof value !== "number" || !Number.isFinite(value)) return String(value);
    if (value !== 0 && Math.abs(value) < 0.5 * 10 ** -digits) return value.toExponential(0);
    return Math.abs(value) >= 1e4 ? value.toExponential(1) : value.toFixed(digits);
  };
}

function tokensPerSecond({ tokens_per_second: rate }: StepEvent): string {
  return typeof rate === "number" ? Math.round(rate).toString() : "–";
}

/**
 * What goes first where there is little room: the pace, which ETA tells too; the clipping, which is 0 where every rollout
 * has one update; then what is told by others. Truncation stays longest: it spoils rewards and looks like nothing else.
 */
const COLUMNS: readonly Column[] = [
  { title: "step", width: 5, rank: 0, of: "both", text: metric("train_step", 0) },
  { title: "loss", width: 7, rank: 0, of: "own", text: metric("loss", 3) },
  { title: "reward", width: 6, rank: 0, of: "rounds", text: metric("reward", 3) },
  { title: "margin", width: 7, rank: 0, of: "own", needs: { own: "reward_margin" }, text: metric("reward_margin", 3) },
  { title: "accuracy", width: 8, rank: 0, of: "both", text: metric("accuracy", 3) },
  { title: "entropy", width: 7, rank: 2, of: "both", needs: { own: "entropy" }, text: metric("entropy", 3) },
  { title: "kl", width: 6, rank: 3, of: "rounds", needs: { rounds: "kl" }, text: metric("kl", 4) },
  { title: "clipped", width: 7, rank: 6, of: "rounds", text: metric("clip_fraction", 3) },
  { title: "length", width: 6, rank: 5, of: "rounds", text: metric("completion_length", 1) },
  { title: "trunc", width: 5, rank: 1, of: "rounds", text: metric("truncated_fraction", 3) },
  { title: "grad", width: 6, rank: 4, of: "both", text: metric("grad_norm", 2) },
  { title: "tok/s", width: 6, rank: 7, of: "both", needs: { own: "tokens_per_second" }, text: tokensPerSecond },
];
/** Of "59 min 59 s" and what parts it from the column before; where a sign stands before it, of that too. */
const ETA_WIDTH = 12, ETA_SIGN = 2;
const KEPT_ROWS = 15; // Rows of the table that stay on a terminal in the course of a run.
const SPREAD = 8; // Rows that measured the accuracy stay a further part of the way apart.

/** What a table is opened with. */
interface Opening {
  /** Its train steps are those of one step that trains by itself, not the rounds. */
  readonly own: boolean;
  readonly expected: Expected | undefined;
  /** Train steps before its first. */
  readonly before: number;
  /** Columns of the terminal. */
  readonly width: number;
}

/** The table of the rounds, or of one step that trains by itself. */
export class TrainTable {
  readonly #columns: readonly Column[];
  readonly #eta: Eta;
  /** The accuracy that was measured last: a step that trains by itself does not measure it at every train step. */
  #accuracy: unknown = null;
  #kept: number;
  readonly #etaWidth: number;

  /** `first` is the event of its first train step: a column without a value there may be left out. */
  constructor(first: StepEvent, private readonly opening: Opening) {
    this.#columns = fitting(first, opening);
    this.#etaWidth = etaWidth(opening);
    this.#eta = new Eta(opening.expected, opening.before);
    this.#kept = Number(first["train_step"]);
  }

  get head(): string {
    const titles = this.#columns.map((column) => column.title.padStart(column.width));
    return `  ${titles.join(" ")}${"ETA".padStart(this.#etaWidth)}`;
  }

  /** The row of a train step that ended at a time, ms. */
  row(event: StepEvent, now: number): string {
    this.#eta.add(Number(event["train_step"]), now, event["accuracy"]);
    this.#accuracy = event["accuracy"] ?? (this.opening.own ? this.#accuracy : null);
    const shown = { ...event, accuracy: this.#accuracy };
    const texts = this.#columns.map((column) => column.text(shown).padStart(column.width));
    return `  ${texts.join(" ")}${this.#eta.text().padStart(this.#etaWidth)}`;
  }

  /** The row that was made last is the last of all. */
  get isOver(): boolean {
    return this.#eta.left() === 0;
  }

  /** On a terminal a few rows stay; of a step with an accuracy to reach those that measured it, ever farther apart. */
  isDue(event: StepEvent): boolean {
    const step = Number(event["train_step"]), { expected } = this.opening;
    if (expected?.until === undefined) {
      return step - this.#kept >= Math.max(1, Math.round((expected?.count ?? 1) / KEPT_ROWS));
    }
    return typeof event["accuracy"] === "number" && step - this.#kept >= step / SPREAD;
  }

  /** The row of this train step stays. */
  keep(event: StepEvent): void {
    this.#kept = Number(event["train_step"]);
  }
}

const etaWidth = ({ expected }: Opening) => ETA_WIDTH + (expected?.atMost ? ETA_SIGN : 0);

/** The columns that the train steps have values for and the terminal is wide enough for. */
function fitting(first: StepEvent, opening: Opening): readonly Column[] {
  const { own, expected, width } = opening;
  const measured = !own || expected?.until !== undefined, side = own ? "own" : "rounds";
  let columns = COLUMNS.filter(({ of, title, needs }) =>
    (of === "both" || of === side) && (first[needs?.[side] ?? "train_step"] ?? null) !== null &&
    (measured || title !== "accuracy")
  );
  const taken = () => columns.reduce((sum, column) => sum + column.width + 1, 2 + etaWidth(opening));
  while (taken() > width) {
    const worst = Math.max(...columns.map(({ rank }) => rank));
    if (worst === 0) break;
    columns = columns.filter(({ rank }) => rank !== worst);
  }
  return columns;
}
