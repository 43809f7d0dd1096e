/**
 * Kills runs and damages what they left, resumes them, and counts: bitwise the same end, refused with a way back, lost.
 *
 *     deno task bench damage [--kills 100] [--flips 60] [--deletions 30] [--unreadable 30] [--seed 1] [--json]
 *
 * Runs go to a temporary folder. A kill is SIGKILL of the program at a uniform time; the others take one file of a
 * stopped run, any file, and flip one bit of it, remove it, or make it one that the system does not read.
 * @module
 */
import { benchArguments, typed } from "./arguments.ts";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { uniform } from "../../data/random.ts";
import { isThere, listFolder } from "../../data/file_system.ts";
import { parseSegment } from "../../data/run_folder.ts";
import { planFor } from "../../workflows/cli/run_words.ts";
import { runPlan, type RunResult, StopControl } from "../../workflows/engine/run_plan.ts";
import { sha256 } from "../../data/digest.ts";

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));

/** Own prompts, an own reward by a relative path, evaluations, a diagnosis, an export: every kind of file. */
const WORKFLOW = `
name: damaged
seed: 3
threads: 1
checkpoint: { every: 2, keep: 100 }
steps:
  - { uses: load_prompts, with: { file: prompts.jsonl } }
  - { uses: load_model, with: { model: tiny_qwen2 } }
  - { uses: fine_tune, with: { max_updates: 4, batch_size: 8 } }
  - repeat: 10
    steps:
      - { uses: sample_groups, with: { prompts_per_step: 2, group_size: 4, max_new_tokens: 3 } }
      - { uses: score_rewards, with: { rewards: [{ uses: ./reward.ts }] } }
      - { uses: compute_advantages, with: { estimator: grpo } }
      - { uses: apply_update, with: { learning_rate: 1.0e-3, gradients_every: 1 } }
      - { uses: diagnose, with: { on_error: warn } }
      - { id: during, uses: evaluate, every: 2, with: { split: validation, limit: 2 } }
  - { uses: export_model }
`;
const REWARD = "export const score = ({ texts }: { texts: string[] }) => texts.map((text) => text.length / 8);\n";

/** Train step after which the damaged runs were stopped. */
const STOP_AT = 9;

/** Ways in which a file goes bad; draw is uniform in [0, 1). */
export const DAMAGE = {
  flips(path: string, draw: number) {
    const bytes = Deno.readFileSync(path), bit = Math.floor(draw * bytes.length * 8);
    bytes[bit >> 3]! ^= 1 << (bit & 7);
    Deno.writeFileSync(path, bytes);
  },
  deletions: (path: string) => Deno.removeSync(path),
  /** A link to itself: unreadable for every user. */
  unreadable(path: string) {
    Deno.removeSync(path);
    Deno.symlinkSync(path, path);
  },
} as const satisfies Record<string, (path: string, draw: number) => void>;

export type DamageKind = keyof typeof DAMAGE;

/** How a resumed run ended, and the train step of the checkpoint it went on from. */
export interface Resumed {
  readonly status: RunResult["status"];
  readonly reason: string | null;
  readonly from: number;
}

/** How runs are made and gone on with; `id` is a folder in `runs`. */
export interface Subject {
  /** Makes a run that was stopped midway. */
  stopped(runs: string, id: string): Promise<void>;
  /** Goes on to the end; throws when that is refused. */
  resume(runs: string, id: string): Promise<Resumed>;
  /** What must be the same at the end. */
  trace(folder: string): string;
}

export interface Outcome {
  readonly kind: string;
  /** What was damaged, or when the run was killed. */
  readonly where: string;
  /** way_back: refused, and bitwise after what the refusal said. unhurt: killed before there was a run. */
  readonly outcome: "bitwise" | "way_back" | "unhurt" | "lost";
  readonly said: string;
}

/** Damages one file of a copy of a stopped run, and resumes it. */
export async function damageOne(
  subject: Subject,
  runs: string,
  kind: DamageKind,
  draws: readonly [file: number, bit: number],
  want: string,
): Promise<Outcome> {
  const id = "hurt", folder = join(runs, id);
  copyFolder(join(runs, "stopped"), folder);
  const where = chosen([...filesOf(folder)].filter(([, bytes]) => bytes.length > 0).map(([path]) => path), draws[0]);
  DAMAGE[kind](join(folder, where), draws[1]);
  const before = filesOf(folder);
  let outcome: Outcome["outcome"] = "bitwise", said = "";
  try {
    const result = await subject.resume(runs, id).catch(async (error: Error) => {
      [outcome, said] = ["way_back", error.message];
      return await goBack(subject, runs, id, said);
    });
    const missing = lost(before, filesOf(folder), result.from);
    if (result.status !== "ok") [outcome, said] = ["lost", `${result.status}: ${result.reason}`];
    else if (subject.trace(folder) !== want) [outcome, said] = ["lost", "another end"];
    else if (missing.length) [outcome, said] = ["lost", `deleted: ${missing.join(", ")}`];
  } catch (error) {
    [outcome, said] = ["lost", error instanceof Error ? error.message : String(error)];
  }
  Deno.removeSync(folder, { recursive: true });
  return { kind, where, outcome, said };
}

/** A part of the run folder first, then a file of it: most files are those of checkpoints. */
function chosen(files: readonly string[], draw: number): string {
  const parts = [...Map.groupBy(files.toSorted(), (path) => path.split("/")[0]!).values()];
  const place = draw * parts.length, part = parts[Math.floor(place)]!;
  return part[Math.floor((place % 1) * part.length)]!;
}

/** Does what a refusal says. */
async function goBack(subject: Subject, runs: string, id: string, said: string): Promise<Resumed> {
  const workflow = /as it ran: (checkpoints\/\S+\/workflow\.yaml)/.exec(said)?.[1];
  if (workflow === undefined) throw new Error(said);
  Deno.copyFileSync(join(runs, id, workflow), join(runs, id, "workflow.yaml"));
  return await subject.resume(runs, id);
}

/** Files of checkpoints, and of tables before the train step, whose bytes are nowhere any more. */
function lost(before: ReadonlyMap<string, Uint8Array>, after: ReadonlyMap<string, Uint8Array>, step: number): string[] {
  const kept = new Set([...after.values()].map((bytes) => sha256(bytes)));
  return [...before].filter(([path, bytes]) => {
    const range = parseSegment(path.split("/").at(-1)!);
    const isOurs = path.startsWith("checkpoints/") || (path.startsWith("tables/") && range !== null && range.first > 0);
    // Rows from the checkpoint on are computed again.
    return isOurs && !(range !== null && range.last >= step) && !kept.has(sha256(bytes));
  }).map(([path]) => path);
}

/** Bytes of every file that can be read, by path. */
function filesOf(folder: string, at = folder): Map<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  for (const { name, isDirectory, isFile } of Deno.readDirSync(at)) {
    const path = join(at, name);
    if (isDirectory) { for (const [file, bytes] of filesOf(folder, path)) found.set(file, bytes); }
    else if (isFile) found.set(relative(folder, path), Deno.readFileSync(path));
  }
  return found;
}

function copyFolder(from: string, to: string): void {
  Deno.mkdirSync(to, { recursive: true });
  for (const [path, bytes] of filesOf(from)) {
    Deno.mkdirSync(join(to, path, ".."), { recursive: true });
    Deno.writeFileSync(join(to, path), bytes);
  }
}

/** Real runs, planned as the command line plans them. */
export function realSubject(workflow: string): Subject {
  const go = async (runs: string, words: { resume?: string }, own: { runId?: string; stop?: StopControl } = {}) => {
    const file = words.resume === undefined ? workflow : undefined;
    const { plans, resumeId, notes } = await planFor(file, { runs, ...words });
    let step = 0;
    const result = await runPlan(plans[0]!, {
      runsFolder: runs,
      projectFolder: PROJECT,
      ...own,
      ...(resumeId === null ? {} : { resume: resumeId, notes }),
      onEvent({ event, text, train_step }) {
        const from = /^Resumed from checkpoint (\d+)/.exec(String(text ?? ""));
        if (from) step = Number(from[1]);
        if (event === "train_step" && train_step === STOP_AT) own.stop?.request("SIGINT");
      },
    });
    return { status: result.status, reason: result.reason, from: step };
  };
  return {
    async stopped(runs, id) {
      await go(runs, {}, { runId: id, stop: new StopControl() });
    },
    resume: (runs, id) => go(runs, { resume: id }),
    trace: (folder) => sha256(Deno.readFileSync(join(folder, "model", "model.safetensors"))),
  };
}

/** Starts the program, kills it after `ms`, and resumes what it left. */
async function killOne(subject: Subject, workflow: string, runs: string, ms: number, want: string): Promise<Outcome> {
  const where = `after ${Math.round(ms)} ms`, kind = "kills";
  const child = program(workflow, runs);
  const timer = setTimeout(() => child.kill("SIGKILL"), ms);
  await child.status;
  clearTimeout(timer);
  const id = listFolder(runs).find((name) => isThere(join(runs, name, "run.json")));
  if (id === undefined) return { kind, where, outcome: "unhurt", said: "" };
  try {
    const { status, reason } = await subject.resume(runs, id);
    const same = status === "ok" && subject.trace(join(runs, id)) === want;
    return { kind, where, outcome: same ? "bitwise" : "lost", said: same ? "" : reason ?? "another end" };
  } catch (error) {
    return { kind, where, outcome: "lost", said: error instanceof Error ? error.message : String(error) };
  }
}

/** The program on a workflow, as a person starts it. */
function program(workflow: string, runs: string): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "-q", "-A", "--no-prompt", "--config", join(PROJECT, "deno.json")],
      ...[join(PROJECT, "workflows/cli/main.ts"), "run", workflow, "--runs", runs],
    ],
    stdout: "null",
    stderr: "null",
  }).spawn();
}

/** Milliseconds from the start to the end of the program on a workflow. */
async function lifetime(workflow: string, runs: string): Promise<number> {
  const started = performance.now();
  await program(workflow, runs).status;
  return performance.now() - started;
}

/** The counts as lines of a table. */
export function summary(outcomes: readonly Outcome[]): string[] {
  const rows = [...Map.groupBy(outcomes, ({ kind }) => kind)].map(([kind, of]) => {
    const count = (outcome: Outcome["outcome"]) => String(of.filter((o) => o.outcome === outcome).length).padStart(9);
    return `${kind.padEnd(11)}${String(of.length).padStart(6)}${count("bitwise")}${count("way_back")}${
      count("unhurt")
    }${count("lost")}`;
  });
  return ["kind         tried  bitwise way_back   unhurt     lost", ...rows];
}

if (import.meta.main) {
  const values = typed(() =>
    benchArguments(Deno.args, { kills: "100", flips: "60", deletions: "30", unreadable: "30", seed: "1", json: false })
  );
  const folder = Deno.makeTempDirSync({ prefix: "nonzero_damage_" }), workflow = join(folder, "damaged.yaml");
  const draw = (stream: string, row: number, index: number) => uniform(Number(values.seed), stream, 0, row, index);
  const outcomes: Outcome[] = [];
  const told = (outcome: Outcome) => {
    outcomes.push(outcome);
    if (values.json) console.log(JSON.stringify(outcome));
    else if (outcome.outcome !== "bitwise") {
      console.log(`${outcome.kind} ${outcome.where}: ${outcome.outcome} ${outcome.said}`);
    }
  };
  try {
    Deno.writeTextFileSync(workflow, WORKFLOW);
    Deno.writeTextFileSync(join(folder, "reward.ts"), REWARD);
    const prompts = Array.from({ length: 40 }, (_, i) => JSON.stringify({ prompt: `${i}+1=`, answer: String(i + 1) }));
    Deno.writeTextFileSync(join(folder, "prompts.jsonl"), prompts.join("\n") + "\n");
    const subject = realSubject(workflow), runs = join(folder, "runs");
    // A run of the program itself that nobody disturbs: what must come out, and how long it takes.
    const span = await lifetime(workflow, join(folder, "whole"));
    const want = subject.trace(join(folder, "whole", listFolder(join(folder, "whole")).at(-1)!));
    await subject.stopped(runs, "stopped");
    for (const kind of Object.keys(DAMAGE) as DamageKind[]) {
      for (let i = 0; i < Number(values[kind]); i++) {
        told(await damageOne(subject, runs, kind, [draw(kind, i, 0), draw(kind, i, 1)], want));
      }
    }
    // A kill before there is a run hits nothing: it is listed, and another takes its place.
    const isHit = ({ kind, outcome }: Outcome) => kind === "kills" && outcome !== "unhurt";
    for (let i = 0; outcomes.filter(isHit).length < Number(values.kills); i++) {
      const own = join(folder, `killed_${i}`);
      told(await killOne(subject, workflow, own, draw("kills", i, 0) * span, want));
      if (isThere(own)) Deno.removeSync(own, { recursive: true });
    }
    for (const line of summary(outcomes)) console.log(line);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
  if (outcomes.some(({ outcome }) => outcome === "lost")) Deno.exit(1);
}
