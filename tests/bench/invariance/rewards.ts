/** Reward functions under other names, in every file of a case. @module */
import { isRecord } from "./case_log.ts";
import type { CaseFile } from "./case_files.ts";

const KEY = /^((?:eval_|eval\/|train\/)?rewards?\/)(.+?)((?:\/(?:mean|std))?)$/;
/** What DPO and KTO call so. */
const SIDES = /^(chosen|rejected|margins|accuracies|mean|std|max|min)$/;

/** The names of a case's reward functions. */
export function rewardNames(files: readonly CaseFile[]): string[] {
  const keys = files.flatMap(({ log }) => (log?.pieces ?? []).filter(isRecord).slice(0, 50))
    .flatMap(({ cells }) => cells.map(({ key }) => key));
  const names = [...new Set(keys)].map((key) => KEY.exec(key)?.[2]).filter((name) => name !== undefined);
  return [...new Set(names)].filter((name) => !SIDES.test(name));
}

/** Files with each name replaced consistently; null where there is none. */
export function renamed(
  files: readonly CaseFile[],
  rename: (name: string, index: number) => string,
): readonly CaseFile[] | null {
  const names = rewardNames(files);
  if (names.length === 0) return null;
  const to = new Map(names.map((name, i) => [name, rename(name, i)]));
  // In prose only a name with an underscore is surely the function's.
  const words = names.filter((name) => name.includes("_")).map((name) => name.replace(/[^\w]/g, "\\$&"));
  const pattern = words.length === 0 ? /(?!)/g : new RegExp(`(?<!\\w)(?:${words.join("|")})(?!\\w)`, "g");
  const text = (text: string) => text.replace(pattern, (name) => to.get(name)!);
  const key = (key: string) => key.replace(KEY, (_, start, name, end) => start + (to.get(name) ?? name) + end);
  return files.map((file) =>
    file.log === null ? { ...file, text: jsonKeys(text(file.text), to) } : {
      ...file,
      log: {
        ...file.log,
        pieces: file.log.pieces.map((piece) =>
          isRecord(piece)
            ? { ...piece, cells: piece.cells.map((cell) => ({ ...cell, key: key(cell.key) })) }
            : text(piece)
        ),
      },
    }
  );
}

/** Rows of completions have a key per function. */
function jsonKeys(text: string, to: ReadonlyMap<string, string>): string {
  return text.replace(/"([\w.-]+)"(?=\s*:)/g, (all, name) => to.has(name) ? `"${to.get(name)}"` : all);
}

/** accuracy_reward becomes reward_accuracy_v2: what it says stays. */
export function sameMeaning(name: string): string {
  return `reward_${name.replace(/^reward_|_reward(?=_|$)/g, "")}_v2`;
}
