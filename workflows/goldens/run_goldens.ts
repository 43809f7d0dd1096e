/** Runs a folder of goldens through the topics. @module */
import { judgeFormulas, type Verdict } from "./judge.ts";
import { judgeTorch } from "./judge_torch.ts";
import { FORMULA_TOPICS, TORCH_TOPICS } from "./mod.ts";
import { readGoldens } from "./read.ts";
import { openGraphRunner } from "./run_graph.ts";

interface GoldensOptions {
  /** The folder of the models that goldens name; null: beside or above the goldens. */
  readonly models?: string | null;
  /** Only cases whose topic or name contains this text. */
  readonly filter?: string | null;
}

/** The verdict on every case of the folder's files. Throws what `readGoldens` throws. */
export async function runGoldens(
  folder: string,
  { models = null, filter = null }: GoldensOptions = {},
): Promise<Verdict[]> {
  const files = readGoldens(folder), verdicts: Verdict[] = [];
  const wanted = (topic: string, name: string) =>
    filter === null || `${topic.split("/")[0]}/${name}`.includes(filter) || topic.includes(filter);
  const graphs = await openGraphRunner();
  try {
    for (const file of files) {
      const judging = file.cases
        ? judgeFormulas(file, Object.values(FORMULA_TOPICS), graphs, wanted)
        : judgeTorch(file, Object.values(TORCH_TOPICS), models, wanted);
      for await (const verdict of judging) verdicts.push(verdict);
    }
  } finally {
    graphs.release();
  }
  return verdicts;
}
