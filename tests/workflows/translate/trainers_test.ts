import assert from "node:assert/strict";
import { TRAINERS } from "../../../workflows/translate/trainers.ts";
import type { Value } from "../../../workflows/translate/written.ts";
import { ourDefault } from "../../../workflows/translate/settle.ts";
import { applyTable } from "../../../workflows/translate/table.ts";

for (const [system, trainers] of Object.entries(TRAINERS)) {
  for (const [name, trainer] of Object.entries(trainers)) {
    Deno.test(`${system} ${name}: every entry makes a sentence or a setting of its default and of strange values`, () => {
      const strange: Value[] = [null, true, -1, 0, 1e9, "", "x", [], ["a", 1], {}, { "()": "f" }];
      for (const value of strange) {
        const written = Object.keys(trainer.table).filter((key) => !key.endsWith("*")).map((option) => ({
          name: option,
          value,
          line: 1,
        }));
        for (const { text, class: kind } of applyTable(trainer, written, system, ourDefault).outcomes) {
          assert(kind === "translated" || kind === "equal" || text.length > 2, text);
          assert.doesNotMatch(text, /undefined|NaN|\[object/);
        }
      }
    });
  }
}
