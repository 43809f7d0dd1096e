/**
 * Runs our benchmarks and the peers' alternately and prints the goals with what was measured.
 *
 *     deno task bench race -- --peers DIR --models DIR [--repeats 5] [--steps 12] [--only grpo,train,…] [--out FILE]
 *
 * DIR of --peers holds the peers' scripts with .venv-peers and .venv-jax; DIR of --models holds tiny, 1m and 10m. Both
 * sides use the same threads, sizes and checkpoints. About 8 minutes with --repeats 2 --steps 7; nothing else may run.
 * @module
 */
import { loadavg } from "node:os";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { table } from "./race_table.ts";
import { among, typed } from "./arguments.ts";
import { options, type Row } from "./rows.ts";

const HERE = fileURLToPath(new URL("./", import.meta.url));

/** One program of either side. */
interface Entry {
  readonly phase: string;
  /** Only for these models; all where absent. */
  readonly models?: readonly string[];
  readonly program: "ours" | "peers" | "jax";
  readonly script: string;
  readonly args: (given: Readonly<Record<string, string>>) => readonly string[];
  /** Once, not in every repeat. */
  readonly once?: true;
}

const steps = ({ steps }: Readonly<Record<string, string>>) => ["--steps", steps!];
const ENTRIES: readonly Entry[] = [
  { phase: "grpo", program: "peers", script: "trl_grpo", args: steps },
  { phase: "grpo", program: "ours", script: "grpo_step", args: steps },
  // Its rows hold train_64x40 too.
  { phase: "grpo", program: "jax", script: "jax_loop", args: steps },
  { phase: "train", program: "ours", script: "train_64x40", args: steps },
  {
    phase: "train",
    program: "peers",
    script: "torch_train_step",
    args: (given) => [...steps(given), "--shapes", "64x40", "--modes", given["torch"]!],
  },
  { phase: "generate", program: "peers", script: "hf_generate", args: (given) => [...batches(given), ...steps(given)] },
  { phase: "generate", program: "ours", script: "generate", args: (given) => [...batches(given), ...steps(given)] },
  {
    phase: "generate",
    program: "jax",
    script: "jax_loop",
    args: (given) => [...batches(given), "--max-new", "128", ...steps(given)],
  },
  { phase: "preferences", program: "peers", script: "trl_dpo", args: steps },
  {
    phase: "preferences",
    program: "ours",
    script: "preference_step",
    args: (given) => [...steps(given), "--kinds", "dpo"],
  },
  { phase: "preferences", program: "peers", script: "trl_kto", args: steps },
  {
    phase: "preferences",
    program: "ours",
    script: "preference_step",
    args: (given) => [...steps(given), "--kinds", "kto"],
  },
  { phase: "start", models: ["tiny"], program: "peers", script: "trl_start", args: () => ["--repeats", "1"] },
  { phase: "start", models: ["tiny"], program: "ours", script: "start", args: () => ["--repeats", "1"] },
  { phase: "engine", models: ["1m"], program: "ours", script: "engine_overhead", args: () => [], once: true },
];
const batches = (given: Readonly<Record<string, string>>) => ["--batches", given["batches"]!];

async function run(entry: Entry, folder: string, given: Readonly<Record<string, string>>): Promise<Row[]> {
  const peers = resolve(given["peers"]!), ours = entry.program === "ours";
  const own = ["run", "-q", "--no-prompt", "-A", "--config", `${HERE}../../deno.json`, `${HERE}${entry.script}.ts`];
  const command = ours ? Deno.execPath() : `${peers}/.venv-${entry.program}/bin/python`;
  const spinning = ours && entry.script !== "start" ? ["--spinning", given["spinning"]!] : [];
  const args = [...(ours ? own : [`${peers}/${entry.script}.py`]), "--model", folder, "--threads", given["threads"]!];
  const { code, stdout, stderr } = await new Deno.Command(command, {
    args: [...args, ...entry.args(given), ...spinning],
    stdout: "piped",
    stderr: "piped",
    env: { INIT_CWD: Deno.cwd() },
  }).output();
  const text = new TextDecoder();
  if (code !== 0) throw new Error(`Cannot run ${entry.script} on ${folder}: ${text.decode(stderr).trim().slice(-600)}`);
  return text.decode(stdout).split("\n").filter((line) => line.startsWith("{")).map((line) => JSON.parse(line) as Row);
}

const PHASES = ["grpo", "train", "generate", "preferences", "start", "engine"];

export async function main(args: readonly string[]): Promise<void> {
  const { model, ...given } = options(args, {
    peers: "",
    models: "",
    repeats: "5",
    steps: "12",
    threads: "2",
    batches: "1,64",
    torch: "eager",
    spinning: "1",
    only: PHASES.join(","),
    out: "",
  });
  if (!given.peers || !given.models) {
    console.error("Cannot race: want --peers DIR (scripts and virtual environments) and --models DIR");
    Deno.exit(2);
  }
  const caller = Deno.env.get("INIT_CWD") ?? Deno.cwd(), peers = resolve(caller, given.peers);
  const names = model.length ? model : ["tiny", "1m", "10m"],
    rows: Row[] = [],
    only = typed(() => among("--only", given.only, PHASES));
  const started = performance.now();
  for (let repeat = 0; repeat < Number(given.repeats); repeat++) {
    for (const phase of only) {
      for (const name of names) {
        const entries = ENTRIES.filter((entry) =>
          entry.phase === phase && (entry.models ?? names).includes(name) && !(entry.once && repeat > 0)
        );
        // Who goes first changes with every repeat.
        for (const entry of repeat % 2 ? entries.toReversed() : entries) {
          const minutes = ((performance.now() - started) / 60_000).toFixed(1);
          console.error(`${minutes} min  load ${loadavg()[0]!.toFixed(2)}  ${repeat + 1}  ${entry.script} ${name}`);
          const found = await run(entry, resolve(caller, given.models, name), { ...given, peers });
          rows.push(...found);
          if (given.out) {
            const lines = found.map((row) => JSON.stringify(row) + "\n").join("");
            Deno.writeTextFileSync(resolve(caller, given.out), lines, { append: true });
          }
        }
      }
    }
  }
  console.log(table(rows));
}

if (import.meta.main) await main(Deno.args);
