/** Completions as a person reads them in a tracker: some of some train steps, as Markdown. @module */
import { pieceColumn, type TablePieces } from "../pieces.ts";

/** Train steps that are shown, and completions of each: a page that opens at once. */
const MOST_STEPS = 40, MOST_EACH = 8, MOST_OF_PROMPT = 2;
/** Longest text, characters. */
const MOST_TEXT = 2000;

/** One text per train step, of an even choice of them with the first and the last. */
export function* completionTexts(table: TablePieces): Generator<{ trainStep: number; tag: string; text: string }> {
  if (!["train_step", "text"].every((column) => table.columns.includes(column))) return;
  const shown = evenly(distinctSteps(table));
  const cells = ["prompt", "text", "reward", "advantage"] as const;
  let open: { readonly trainStep: number; readonly parts: string[]; readonly ofPrompt: Map<unknown, number> } | null =
    null;
  for (const piece of table.pieces) {
    const steps = pieceColumn(piece, "train_step") as ArrayLike<number>;
    const prompts = pieceColumn(piece, "prompt_id"), columns = cells.map((name) => pieceColumn(piece, name));
    for (let row = 0; row < piece.numRows(); row++) {
      const trainStep = steps[row]!;
      if (!shown.has(trainStep)) continue;
      if (open !== null && open.trainStep !== trainStep) {
        yield { trainStep: open.trainStep, tag: "completions", text: open.parts.join("\n\n") };
        open = null;
      }
      open ??= { trainStep, parts: [], ofPrompt: new Map() };
      const prompt = prompts[row], count = open.ofPrompt.get(prompt) ?? 0;
      if (open.parts.length >= MOST_EACH || count >= MOST_OF_PROMPT) continue;
      open.ofPrompt.set(prompt, count + 1);
      open.parts.push(markdown(columns.map((values) => values[row])));
    }
  }
  if (open !== null) yield { trainStep: open.trainStep, tag: "completions", text: open.parts.join("\n\n") };
}

function distinctSteps({ pieces }: TablePieces): number[] {
  const steps = new Set<number>();
  for (const piece of pieces) {
    const column = pieceColumn(piece, "train_step") as ArrayLike<number>;
    for (let row = 0; row < column.length; row++) steps.add(column[row]!);
  }
  return [...steps];
}

function evenly(steps: readonly number[]): ReadonlySet<number> {
  const count = Math.min(steps.length, MOST_STEPS), last = steps.length - 1;
  return new Set(Array.from({ length: count }, (_, i) => steps[count === 1 ? 0 : Math.round(i * last / (count - 1))]!));
}

function markdown([prompt, text, reward, advantage]: readonly unknown[]): string {
  const number = (name: string, value: unknown) =>
    typeof value === "number" ? [`${name} **${Number(value.toPrecision(4))}**`] : [];
  const head = [...number("reward", reward), ...number("advantage", advantage)].join(" · ");
  return [head, ...typeof prompt === "string" ? [fenced(prompt)] : [], fenced(String(text ?? ""))].join("\n\n");
}

/** A text as it stands, whatever Markdown or HTML is in it. */
function fenced(text: string): string {
  const cut = text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text;
  const longest = Math.max(2, ...(cut.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${cut}\n${fence}`;
}
