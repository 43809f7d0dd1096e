import assert from "node:assert/strict";
import { unpaired } from "../../../data/preferences/preference.ts";

Deno.test("unpaired() makes a desirable and an undesirable completion of each pair, and leaves others as they are", () => {
  assert.deepEqual(unpaired({ form: "pairs", rows: [{ prompt: "1+1=", chosen: "2", rejected: "3" }] }), [
    { prompt: "1+1=", completion: "2", label: true },
    { prompt: "1+1=", completion: "3", label: false },
  ]);
  const rows = [{ prompt: "p", completion: "c", label: false }];
  assert.equal(unpaired({ form: "unpaired", rows }), rows);
});
