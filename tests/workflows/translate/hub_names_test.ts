import assert from "node:assert/strict";
import { dataPlace, modelPlace } from "../../../workflows/translate/hub_names.ts";

Deno.test("modelPlace() makes a name of the Hub its address, and leaves paths", () => {
  for (
    const [name, place] of [
      ["Qwen/Qwen2.5-0.5B-Instruct", "hf:Qwen/Qwen2.5-0.5B-Instruct"],
      ["gpt2", "hf:gpt2"],
      ["./here", "./here"],
      ["/there", "/there"],
      ["~/models/m", "./models/m"],
      ["models/m", "./models/m"],
      ["saves/rm", "./models/rm"],
      ["$MODEL/m", "./models/m"],
      ["a/b/c", "./models/c"],
      ["a/b@c", "./models/b_c"],
    ]
  ) assert.equal(modelPlace(name!), place, name);
  assert.equal(modelPlace("a/b", undefined, "v1/x"), "hf:a/b@v1%2Fx");
  assert.equal(modelPlace("a/b", undefined, { unresolved: "r()" }), "hf:a/b");
  assert.equal(modelPlace("out/last", { isLocal: (name) => name === "out/last" }), "./models/last");
});

Deno.test("dataPlace() keeps files, and makes ORG/NAME its address", () => {
  for (
    const [name, place] of [
      ["openai/gsm8k", "hf:datasets/openai/gsm8k"],
      ["./d/rows.jsonl", "./d/rows.jsonl"],
      ["x.parquet", "./data/x.parquet"],
      ["d/old.json", "./data/old.jsonl"],
      ["alpaca_en", "./data/alpaca_en.jsonl"],
    ]
  ) assert.equal(dataPlace(name!), place, name);
  assert.equal(dataPlace("a/b", { isLocal: () => true }), "./data/b.jsonl");
});
