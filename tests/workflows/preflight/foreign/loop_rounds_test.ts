import assert from "node:assert/strict";
import { roundsOf } from "../../../../workflows/preflight/foreign/loop_rounds.ts";
import { trainingCommands } from "../../../../workflows/translate/command_line.ts";

/** The words of each round of the one command of a script. */
function rounds(text: string): string[] {
  const { commands, loops } = trainingCommands(text);
  return roundsOf(commands[0]!, loops).map(({ words }) => words.map((word) => word.text).join(" "));
}

const train = (rest: string) => `python -m trl.scripts.grpo --num_generations 8 ${rest}`;

Deno.test("roundsOf() gives a command each value of the loops around it", () => {
  const head = "--num_generations 8 --learning_rate";
  assert.deepEqual(rounds(`for lr in 1e-6 0; do\n${train("--learning_rate $lr")}\ndone\n`), [
    `${head} 1e-6`,
    `${head} 0`,
  ]);
  const nested = `for a in 1 2; do for b in 3 4; do ${train("--seed ${a}$b")}; done; done\n`;
  assert.deepEqual(rounds(nested).map((text) => text.split(" ").at(-1)), ["13", "14", "23", "24"]);
});

Deno.test("roundsOf() leaves a command alone that uses no loop, one of unknown values, or too many", () => {
  assert.equal(rounds(`for lr in 1 2; do ${train("--seed 3")}; done\n`).length, 1);
  assert.deepEqual(
    rounds(`for lr in $RATES; do ${train("--learning_rate $lr")}; done\n`).map((text) => text.slice(-3)),
    [
      "$lr",
    ],
  );
  assert.equal(rounds(`for lr in ${"1 ".repeat(13)}; do ${train("--learning_rate $lr")}; done\n`).length, 1);
});
