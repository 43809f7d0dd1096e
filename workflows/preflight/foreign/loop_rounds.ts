/** The commands that a shell's loop starts, one for each value of its variable. @module */
import type { TrainingCommand } from "../../translate/command_line.ts";

const MOST_ROUNDS = 12; // Of one command, over all loops around it.
const NAME = /\$(?:\{(\w+)\}|(\w+))/g;

/** Values of the variables of loops, where the script tells them: `for lr in 1e-6 1e-5`. */
type Loops = ReadonlyMap<string, readonly string[]>;

/** A command with each value of the loops around it; itself alone where it uses none, or too many. */
export function roundsOf(command: TrainingCommand, loops: Loops): readonly TrainingCommand[] {
  const used = new Set(
    command.words.flatMap(({ text, unknown }) =>
      unknown ? Array.from(text.matchAll(NAME), ([, braced, plain]) => braced ?? plain!) : []
    ).filter((name) => loops.has(name)),
  );
  const count = [...used].reduce((product, name) => product * loops.get(name)!.length, 1);
  if (used.size === 0 || count > MOST_ROUNDS) return [command];
  let rounds: readonly ReadonlyMap<string, string>[] = [new Map()];
  for (const name of used) {
    rounds = rounds.flatMap((round) => loops.get(name)!.map((value) => new Map([...round, [name, value]])));
  }
  return rounds.map((round) => ({ ...command, words: command.words.map((word) => filled(word, round)) }));
}

function filled(word: TrainingCommand["words"][number], round: ReadonlyMap<string, string>) {
  if (!word.unknown) return word;
  const text = word.text.replaceAll(NAME, (all, braced?: string, plain?: string) => round.get(braced ?? plain!) ?? all);
  return { ...word, text, unknown: /\$[A-Za-z{(]|`/.test(text) };
}
