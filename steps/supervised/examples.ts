/** Rows that a policy is fine-tuned on as tokens, with which of them count in the loss. @module */
import { imagesIn } from "../../data/datasets/prompt_images.ts";
import { maskedIds } from "../../data/hub/templates/assistant_mask.ts";
import { completionMessages, messagesIn } from "../../data/datasets/messages.ts";
import { columnArray } from "../../data/tables/mod.ts";
import type { TrainBatch } from "../../gpu/language_model.ts";
import type { Policy } from "../resources/policy.ts";
import type { StepContext } from "../step.ts";
import { cutRow, requireText, RowProblems } from "./row_limits.ts";

/** One row. */
export interface SupervisedExample {
  readonly prompt: Int32Array;
  readonly completion: Int32Array;
  /** 1 on tokens of the completion that count. */
  readonly mask: Float32Array;
}

/**
 * completion   what follows the prompt (TRL completion_only_loss)
 * assistant    in conversations every turn of the assistant, its end included, also those in the prompt (TRL
 *              assistant_only_loss); of a text the completion
 * all          every token but the first, which nothing predicts
 */
export type LossOn = "completion" | "assistant" | "all";

/** Where rows come from: the prompts with their answers, or what is preferred of the table `preferences`. */
export type ExampleTable = "prompts" | "preferences";

/** A train row as the table has it. */
interface SupervisedText {
  readonly prompt: string;
  readonly answer: string;
  /** Place in its table, from 0. */
  readonly row: number;
}

/** Prompt and answer of the train rows. Throws a RangeError where there is none. */
export function supervisedTexts(context: StepContext, from: ExampleTable): SupervisedText[] {
  const table = context.table(from), texts = (name: string) => columnArray(table, name) as ArrayLike<string>;
  const named = from === "prompts" ? "answer" : table.column("chosen") ? "chosen" : "completion";
  const [prompts, answers, splits] = ["prompt", named, "split"].map(texts);
  const wanted = named === "completion" ? columnArray(table, "label") as ArrayLike<boolean> : null;
  const rows = Array.from(prompts!, (prompt, row) => ({ prompt: String(prompt), answer: String(answers![row]), row }))
    .filter(({ row }) => splits![row] === "train" && (wanted === null || wanted[row]));
  if (rows.length > 0) return rows;
  throw new RangeError(
    `Cannot fine-tune: table "${from}" has no ${wanted ? "desirable " : ""}row of split "train"`,
  );
}

/**
 * Throws a RangeError for prompts with images where their tokens would count in the loss, which nothing can learn to
 * predict, or where several rows are one, whose tokens are no prompt's.
 */
export function refuseImages(
  from: ExampleTable,
  texts: readonly SupervisedText[],
  { loss_on, packing }: { readonly loss_on: LossOn; readonly packing?: number | undefined },
): void {
  const why = loss_on !== "completion"
    ? `whose tokens nothing can learn to predict; want loss_on: completion, not ${loss_on}`
    : packing !== undefined
    ? "which packed rows have no place for; leave out packing"
    : null;
  if (why === null) return;
  const problems = new RowProblems("fine-tune", `table "${from}"`);
  for (const { prompt, row } of texts) {
    if (imagesIn(prompt).length > 0) problems.add(row, `prompts have images, ${why}`);
  }
  problems.refuse();
}

/**
 * A row of the table `from` as tokens; a completion is cut off where both have more than `maxLength` tokens. Throws a
 * RangeError for what `cutRow` refuses, for an empty answer where not all tokens count, and where none does.
 */
export function supervisedExample(
  policy: Policy,
  from: ExampleTable,
  { prompt, answer, row }: SupervisedText,
  lossOn: LossOn,
  maxLength: number | null,
): SupervisedExample {
  const problems = new RowProblems("fine-tune", `table "${from}"`);
  if (lossOn !== "all") requireText(problems, row, [answer]);
  const example = lossOn === "assistant" ? turns(policy, prompt, answer) : whole(policy, prompt, answer, lossOn);
  const tokens = { prompt: example.prompt, completions: [example.completion] };
  const { completions: [completion] } = cutRow(policy, { maxLength }, tokens, problems, row);
  const mask = example.mask.slice(0, completion!.length);
  if (!mask.includes(1)) problems.add(row, "rows have no token that counts in the loss; look at loss_on");
  problems.refuse();
  return { prompt: example.prompt, completion: completion!, mask };
}

/** A row for each. */
export function plainBatch(examples: readonly SupervisedExample[]): TrainBatch {
  return {
    prompts: examples.map(({ prompt }) => prompt),
    group: 1,
    completions: examples.map(({ completion }) => completion),
    completionMask: examples.map(({ mask }) => mask),
  };
}

function whole(policy: Policy, prompt: string, answer: string, lossOn: LossOn): SupervisedExample {
  const before = policy.encodePrompt(prompt, 0), after = policy.encodeCompletion(prompt, answer);
  if (lossOn !== "all") return { prompt: before, completion: after, mask: new Float32Array(after.length).fill(1) };
  return joined([before.subarray(0, 1), before.subarray(1), after], [0, 1, 1]);
}

/** The turns of a conversation, each in the text that the chat template writes for it. */
function turns(policy: Policy, prompt: string, answer: string): SupervisedExample {
  const before = messagesIn(prompt), after = completionMessages(answer);
  if (before === null && after === null) return whole(policy, prompt, answer, "completion");
  const messages = [
    ...before ?? [{ role: "user", content: prompt }],
    ...after ?? [{ role: "assistant", content: answer }],
  ];
  const { text, spans } = policy.turns(messages);
  const { ids, mask } = maskedIds(text, spans, (some) => Array.from(policy.tokenizer.encode(some)));
  const first = Math.max(1, mask.indexOf(1));
  return {
    prompt: Int32Array.from(ids.slice(0, first)),
    completion: Int32Array.from(ids.slice(first)),
    mask: Float32Array.from(mask.slice(first)),
  };
}

/** The first part as the prompt, at least one token of it; the others as the completion. */
function joined(parts: readonly Int32Array[], counts: readonly number[]): SupervisedExample {
  const ids = parts.flatMap((part) => Array.from(part));
  const mask = parts.flatMap((part, i) => Array.from(part, () => counts[i]!));
  const first = counts[0] === 0 && parts[0]!.length > 0 ? parts[0]!.length : 1;
  return {
    prompt: Int32Array.from(ids.slice(0, first)),
    completion: Int32Array.from(ids.slice(first)),
    mask: Float32Array.from(mask.slice(first)),
  };
}
