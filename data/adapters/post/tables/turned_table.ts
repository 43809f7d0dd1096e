/** Tables whose rows are metrics of one run, and whose columns are moments of it, its least and most, or how often a value came. @module */
import { nameInfo } from "../../intake/name_info.ts";
import type { Intake } from "../../intake/intake.ts";
import { ALL_DIGITS } from "../../intake/stage.ts";
import { mentionsIn } from "../mentions.ts";
import { metricName } from "./metric_name.ts";
import { type Moment, momentsOf, observedOf, statisticsOf } from "./moments.ts";
import { numberClaims } from "../numbers/number_claims.ts";
import type { ToldValue } from "../said.ts";
import { commitCourse } from "../blocks/step_line.ts";

interface Value {
  readonly value: number;
  readonly decimals: number;
}
type NumberOf = (cell: string) => Value | null;

/** Which names a trainer prints the ends of a metric by. */
const ENDS: Readonly<Record<string, Partial<Readonly<Record<"min" | "max" | "std", string>>>>> = {
  completion_length: { min: "completions/min_length", max: "completions/max_length" },
  terminated_length: { min: "completions/min_terminated_length", max: "completions/max_terminated_length" },
  reward: { min: "critic/score/min", max: "critic/score/max", std: "reward_std" },
};
/** Of all records, those on which a value must have been for it to hold throughout. */
const THROUGHOUT = 0.9;
const EVERY =
  /^(?:all|every|each|always|tous|toutes|chaque|alle|jeder?|immer|todos|todas|cada|siempre|sempre|все|каждый|всегда)(?![\p{L}])|^(?:每|全部|所有|全|毎|모든|매)/iu;

/** One table; it takes rows, and gives its records at its end. */
export class TurnedTable {
  readonly #moments: readonly Moment[] | null;
  readonly #statistics: ReturnType<typeof statisticsOf>;
  readonly #observed: ReturnType<typeof observedOf>;
  readonly #rows: { readonly name: string; readonly values: readonly (Value | null)[] }[] = [];
  #line = 0;

  private constructor(private readonly intake: Intake, cells: readonly string[]) {
    this.#moments = momentsOf(cells);
    this.#statistics = statisticsOf(cells);
    this.#observed = observedOf(cells);
  }

  /** Null where the cells are no such head. */
  static at(intake: Intake, cells: readonly string[]): TurnedTable | null {
    if (metricName(cells[0] ?? "") !== null) return null;
    const table = new TurnedTable(intake, cells);
    return (table.#moments ?? table.#statistics ?? table.#observed) === null ? null : table;
  }

  /** True of a row of a metric. */
  row(cells: readonly string[], line: number, numberOf: NumberOf): boolean {
    const label = cells[0] ?? "", name = metricName(label);
    if (name === null) return false;
    const values = cells.slice(1).map(numberOf);
    if (this.#observed !== null) return this.#often(name, cells, line, numberOf);
    if (values.every((value) => value === null)) return false;
    if (this.#statistics !== null) this.#ends(name, label, values, line);
    else if (this.#moments!.some(({ step, epoch }) => Number.isNaN(step) && Number.isNaN(epoch))) {
      this.#course(name, label, values, line);
    } else {
      this.#line ||= line;
      this.#rows.push({ name, values });
    }
    return true;
  }

  end(): void {
    const { stage } = this.intake;
    this.#moments?.forEach(({ step, epoch }, i) => {
      stage.reset();
      for (const { name, values } of this.#rows) {
        const found = values[i] ?? null;
        if (found !== null) stage.add(stage.info(name), found.value, found.decimals || ALL_DIGITS);
      }
      if (stage.count > 0) commitCourse(this.intake, this.#line, step, Number.isNaN(epoch) ? undefined : epoch);
    });
  }

  /** From the beginning to the end, without a train step: what a sentence tells by an arrow. */
  #course(name: string, label: string, values: readonly (Value | null)[], line: number): void {
    const all = values.filter((value) => value !== null);
    if (all.length < 2) return;
    const text = `${label}: ${all.map(({ value }) => value).join(" → ")}`;
    const told = {
      ...this.#told(name, all, line, text),
      values: all.map(({ value }) => value),
      relation: all.length > 2 ? "series" : "course",
    } as const;
    this.intake.tell(told);
    const subject = mentionsIn(name)[0]?.subject ?? null;
    if (subject === null) return;
    for (const claim of numberClaims(subject, told, { throughout: false }, text)) {
      this.intake.claim({ ...told, subject, ...claim, by: "author", elsewhere: false });
    }
  }

  /** The least and the most of all records: what is both is all of them. */
  #ends(name: string, label: string, values: readonly (Value | null)[], line: number): void {
    const at = (statistic: string) => values[this.#statistics!.findIndex((one) => one === statistic)] ?? null;
    const [min, mean, max, std] = ["min", "mean", "max", "std"].map(at), { column } = nameInfo(name);
    const throughout = min != null && max != null && min.value === max.value;
    const tell = (own: string, value: Value | null | undefined) => {
      if (value == null) return;
      this.intake.tell({ ...this.#told(own, [value], line, `${label}: ${value.value}`), throughout });
    };
    tell(name, mean ?? (throughout ? min : null));
    for (const [statistic, value] of [["min", min], ["max", max], ["std", std]] as const) {
      const own = ENDS[column]?.[statistic];
      if (own !== undefined) tell(own, value);
    }
  }

  #often(name: string, cells: readonly string[], line: number, numberOf: NumberOf): boolean {
    const { value: at, often } = this.#observed!, value = numberOf(cells[at] ?? ""), count = cells[often] ?? "";
    if (value === null) return false;
    const share = /(\d+)\s*(?:\/|of|sur|von|de|из)\s*(\d+)/.exec(count), whole = Number(share?.[2] ?? 0);
    const throughout = share === null ? EVERY.test(count) : Number(share[1]) >= THROUGHOUT * whole;
    this.intake.tell({
      ...this.#told(name, [value], line, cells.join(" | ")),
      throughout,
      ...(throughout && whole > 0 ? { from: 1, to: whole } : {}),
    });
    return true;
  }

  #told(name: string, values: readonly Value[], line: number, text: string): ToldValue {
    return {
      printed: name,
      name,
      values: values.map(({ value }) => value),
      relation: "is",
      decimals: Math.max(...values.map(({ decimals }) => decimals)),
      from: null,
      to: null,
      throughout: false,
      line,
      text,
    };
  }
}
