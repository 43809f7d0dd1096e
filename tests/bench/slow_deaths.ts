/**
 * Makes long runs of our trainer that die slowly by real causes, each beside its twin without the cause, and healthy ones:
 * logs to learn from, with labels that latent truth decides.
 *
 *     deno task bench slow_deaths [--kinds rate_spent,… | all | none] [--healthy a,b | all | none] [--seeds 1,2] \
 *       [--sizes tiny,small] [--out DIR] [--work DIR] [--zip]
 *
 * A case is a folder in --out: log.jsonl (.gz with --zip), completions.jsonl, config.txt, label.json. What is there is not
 * made again. Warm models stay in --work, a temporary folder if absent.
 * @module
 */
import { isAbsolute, resolve } from "node:path";
import { UsageError } from "../../workflows/terminal/usage_error.ts";
import { callerFolder } from "../../workflows/terminal/paths.ts";
import { among, benchArguments, numbers, typed } from "./arguments.ts";
import { HEALTHY } from "./slow_deaths/healthy.ts";
import { KINDS } from "./slow_deaths/kinds.ts";
import { makeHealthy, makeKind, type Maker } from "./slow_deaths/make.ts";
import { type Size, SIZES } from "./slow_deaths/documents.ts";
import { openWork } from "./slow_deaths/run_case.ts";

if (import.meta.main) {
  const { kinds, healthy, seeds, sizes, out, work, zip } = typed(() => {
    const given = benchArguments(Deno.args, {
      kinds: "all",
      healthy: "none",
      seeds: "1",
      sizes: Object.keys(SIZES).join(","),
      out: "",
      work: "",
      zip: false,
    });
    const listed = (option: string, list: string, known: readonly string[]) =>
      list === "all" ? [...known] : list === "none" ? [] : among(option, list, known);
    if (given.out === "") throw new UsageError("Cannot make slow deaths: --out is not given, want a folder");
    return {
      ...given,
      kinds: listed("--kinds", given.kinds, Object.keys(KINDS)),
      healthy: listed("--healthy", given.healthy, Object.keys(HEALTHY)),
      seeds: numbers("--seeds", given.seeds),
      sizes: among("--sizes", given.sizes, Object.keys(SIZES)) as Size[],
    };
  });
  const absolute = (path: string) => isAbsolute(path) ? path : resolve(callerFolder(), path);
  const folder = work === "" ? await Deno.makeTempDir({ prefix: "nonzero-slow-deaths-" }) : absolute(work);
  await Deno.mkdir(absolute(out), { recursive: true });
  await openWork(folder);
  for (const seed of seeds) {
    for (const size of sizes) {
      const maker: Maker = { seed, size, zip, out: absolute(out), work: folder, say: console.log };
      for (const name of kinds) await makeKind(name as keyof typeof KINDS, maker);
      for (const name of healthy) await makeHealthy(name as keyof typeof HEALTHY, maker);
    }
  }
  if (work === "") await Deno.remove(folder, { recursive: true });
}
