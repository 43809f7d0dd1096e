/** A configuration of another system as rules look at it: its options with their places, and how one is written there. @module */
import type { SystemName } from "../../../data/systems.ts";
import { written } from "../../../steps/diagnoses/remedies/value.ts";
import { isUnresolved, type Value, type Written } from "../../translate/written.ts";

/** An option as it stands in a file. */
export interface Told extends Written {
  readonly source: string;
  /** From 1. */
  readonly column: number;
}

/** What kind of text it is, which says how an option is written: `--a 1`, `a.b=1`, `a: 1`, `a=1`. */
export type Form = "flags" | "overrides" | "keys" | "keywords";

/** An option with the value that it should have; without one it is to be left out. */
export interface Change {
  readonly name: string;
  readonly value?: Value;
}

interface LaunchData {
  readonly path: string;
  readonly text: string;
  /** The text with the line ends that it has on the disk, where those are not of Unix. */
  readonly raw?: string;
  readonly system: SystemName;
  /** grpo, rloo, ppo, dpo, kto, sft, reward, or null where nothing says it. */
  readonly trainer: string | null;
  readonly form: Form;
  readonly options: readonly Told[];
  /** Files that the command names and that lie beside it, by the name that it gives them. */
  readonly beside: ReadonlyMap<string, string>;
  /** Of a command in a loop: which round, from 0. */
  readonly round?: number | null;
  /** False where the command reads a configuration that is not at hand: what is not told may stand there. */
  readonly isWhole?: boolean;
}

/** Trainers that compare the completions of one prompt. */
const BY_GROUP = new Set(["grpo", "rloo", "reinforce_baseline", "group_norm", "dr_grpo"]);

/** One training as a file starts it. */
export class Launch {
  readonly path: string;
  readonly text: string;
  readonly raw: string;
  readonly system: SystemName;
  readonly trainer: string | null;
  readonly form: Form;
  readonly options: readonly Told[];
  readonly beside: ReadonlyMap<string, string>;
  readonly isWhole: boolean;
  readonly round: number | null;

  constructor(data: LaunchData) {
    ({
      path: this.path,
      text: this.text,
      system: this.system,
      trainer: this.trainer,
      form: this.form,
      options: this.options,
      beside: this.beside,
    } = data);
    this.raw = data.raw ?? data.text;
    this.isWhole = data.isWhole ?? true;
    this.round = data.round ?? null;
  }

  #lines: readonly string[] | null = null;

  /** The lines of its text, cut once. */
  get lines(): readonly string[] {
    return this.#lines ??= this.text.split("\n");
  }

  /** The option that holds under any of some names: the last one written. */
  told(...names: string[]): Told | undefined {
    return this.options.findLast(({ name }) => names.includes(name));
  }

  /** Its value; undefined where it is not written, or only known when the program runs. */
  value(...names: string[]): Value | undefined {
    const value = this.told(...names)?.value;
    return isUnresolved(value) ? undefined : value;
  }

  number(...names: string[]): number | null {
    const value = this.value(...names);
    // What is beyond whole numbers is named as impossible; nothing is to be computed of it.
    return typeof value === "number" && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : null;
  }

  /** The number, or the system's default where nothing is written; null where that is not known. */
  numberOr(otherwise: number, ...names: string[]): number | null {
    return this.told(...names) === undefined && this.isWhole ? otherwise : this.number(...names);
  }

  /** The text of a value; of a name in a script, such as `torch.float16`, that name. */
  word(...names: string[]): string | null {
    const value = this.told(...names)?.value;
    return typeof value === "string" ? value : isUnresolved(value) ? value.unresolved : null;
  }

  /** True or false where it says so, `no_NAME` too; null where nothing does. */
  flag(...names: string[]): boolean | null {
    const own = this.value(...names);
    if (own === true || own === 1) return true;
    if (own === false || own === 0) return false;
    return names.some((name) => this.value(`no_${name}`) === true) ? false : null;
  }

  /** The values of a list: several words, a list, or one value. */
  list(...names: string[]): readonly Value[] | null {
    const value = this.value(...names);
    if (value === undefined || value === null) return null;
    if (typeof value !== "string") return Array.isArray(value) ? value : [value];
    // Words in one pair of quotes, or separated by commas.
    return value.trim().split(/[\s,]+/).filter((word) => word !== "");
  }

  isWritten(...names: string[]): boolean {
    return this.told(...names) !== undefined;
  }

  /** Processes that the training is started on, or null where the file does not say. */
  get processes(): number | null {
    const nodes = this.numberOr(1, "trainer.nnodes");
    if (this.system === "verl") {
      const each = this.number("trainer.n_gpus_per_node");
      return each === null || nodes === null ? null : each * nodes;
    }
    return this.number("num_processes");
  }

  /** The model's name or path, where it is told. */
  get model(): string | null {
    return this.word(
      ...["model_name_or_path", "model", "model_id_or_path", "actor_rollout_ref.model.path", "model.partial_pretrain"],
      ...["pretrain", "actor.model_name_or_path", "model.model_name_or_path", "model_name"],
    );
  }

  /** An adapter is trained in place of the weights; null where that cannot be told. */
  get hasAdapter(): boolean | null {
    switch (this.system) {
      case "llamafactory":
        return !/^(?:full|freeze)$/.test(this.word("finetuning_type") ?? "lora");
      case "ms-swift": {
        const kind = this.told("tuner_type", "train_type", "sft_type");
        return kind === undefined ? true : typeof kind.value === "string" ? /lora/.test(kind.value) : null;
      }
      case "verl":
        return (this.number("actor_rollout_ref.model.lora_rank", "model.lora_rank") ?? 0) > 0;
      case "openrlhf":
        return (this.number("ds.lora.rank", "lora_rank") ?? 0) > 0;
      default: {
        if (this.form !== "keywords") return this.flag("use_peft") === true;
        return this.options.some(({ name }) => /^peft_config(?:\.|$)/.test(name))
          ? true
          : this.value("model") !== undefined
          ? false
          : null;
      }
    }
  }

  /** The training compares the completions of a group. */
  get isGrouped(): boolean {
    const estimator = this.word("algorithm.adv_estimator", "algo.advantage.estimator", "advantage_estimator");
    return BY_GROUP.has(this.trainer ?? "") || /^grpo/.test(this.trainer ?? "") || BY_GROUP.has(estimator ?? "");
  }

  /** Completions are sampled in training. */
  get isRollout(): boolean {
    return /^(?:grpo|rloo|ppo|online_dpo)/.test(this.trainer ?? "");
  }

  /** A change as the file writes its options. */
  written({ name, value }: Change): string {
    const own = this.form === "keywords" ? name.slice(name.lastIndexOf(".") + 1) : name;
    const flag = this.form === "flags" ? `--${own}` : own;
    if (value === undefined) return `leave out ${flag}`;
    switch (this.form) {
      case "flags":
        return `${flag} ${Array.isArray(value) ? value.join(" ") : shown(value, "true", "false", "None")}`.trimEnd();
      case "overrides":
        return `${own}=${shown(value, "True", "False", "null")}`;
      case "keys":
        return `${own}: ${shown(value, "true", "false", "null")}`;
      case "keywords":
        return `${own}=${typeof value === "string" ? JSON.stringify(value) : shown(value, "True", "False", "None")}`;
    }
  }

  /** An option's name in a sentence: `--a` on a command line. */
  called(name: string): string {
    return this.form === "flags"
      ? `--${name}`
      : this.form === "keywords"
      ? name.slice(name.lastIndexOf(".") + 1)
      : name;
  }
}

function shown(value: Value, yes: string, no: string, none: string): string {
  if (value === true) return yes;
  if (value === false) return no;
  if (value === null) return none;
  if (isUnresolved(value)) return value.unresolved;
  if (typeof value === "number") return written(value);
  return Array.isArray(value) ? `[${value.map((one) => shown(one, yes, no, none)).join(", ")}]` : String(value);
}
