import assert from "node:assert/strict";
import { join } from "node:path";
import { openDataset } from "../../../data/datasets/open_dataset.ts";
import { survey } from "../../../data/preview/survey.ts";
import { surveyLines } from "../../../workflows/cli/data_text.ts";
import { textWidth } from "../../../workflows/terminal/text_width.ts";

const GOLDENS = new URL("../../goldens/datasets/", import.meta.url).pathname;

Deno.test("surveyLines() fit the terminal, and end with lines to paste", async () => {
  for (const name of ["hub", "types.parquet", "saved_dict"]) {
    const config = name === "hub" ? "main" : undefined;
    const found = await survey(await openDataset(join(GOLDENS, name), { config }));
    for (const columns of [60, 80, 120]) {
      const lines = surveyLines(name, config, found, { columns, style: (text) => text });
      for (const line of lines) assert(textWidth(line) <= columns, `${columns}: ${line}`);
      assert(lines.includes("  - uses: load_prompts"));
      if (config) assert(lines.includes("      config: main") && lines.includes("      verifier: gsm8k"));
    }
  }
});
