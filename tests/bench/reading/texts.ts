/** The texts that reading is timed with: logs as trainers print them, and what people write. */
import { uniform } from "../../../data/random.ts";
import { labelledPosts } from "../posts/labelled_posts.ts";
import { trainingLog } from "../training_log.ts";

export interface ReadingText {
  readonly kind: "log" | "state" | "prose";
  /** The name that says how it is read. */
  readonly file: string;
  /** About so many bytes of it; of a state at most its train steps, of prose all there is. */
  readonly bytes: (size: number) => Promise<Uint8Array> | Uint8Array;
}

const draw = (record: number, index: number) => uniform(1, "reading", record, 0, index);
const NOISE_PER_RECORD = 20, STATE_STEPS = 5000;

/** Lines that trainers, engines and launchers print, with nothing of a run in them. */
const NOISE: readonly ((record: number) => string)[] = [
  (n) => `(WorkerDict pid=${1000 + n % 9000}) INFO 11-23 17:50:38 [model_runner.py:1051] Starting to load the model...`,
  (n) => `Generating train split: ${n % 100}%|███▌      | ${n}/10000 [00:12<00:20, 310.22 examples/s]`,
  (n) =>
    `[2025-03-01 12:00:01,123] [INFO] [logging.py:128:log_dist] [Rank 0] step=${n}, skipped=0, lr=[1e-06], mom=[(0.9, 0.999)]`,
  (n) => `2025-03-01 12:00:01,552 - trainer - INFO - saving checkpoint to checkpoint-${n}`,
  () => "site-packages/torch/utils/checkpoint.py:295: FutureWarning: torch.cpu.amp.autocast(args...) is deprecated.",
  () => "  with torch.enable_grad(), device_autocast_ctx, torch.cpu.amp.autocast(**ctx.cpu_autocast_kwargs):",
  (n) => `Training: ${n % 100}%|███▌  | ${n}/100000 [00:05<01:00, 1.2it/s]`,
  () => "",
  (n) =>
    `INFO 11-23 17:50:38 [engine.py:${n}] Avg prompt throughput: 1234.5 tokens/s, Running: 12 reqs, Waiting: 0 reqs`,
];

const VERL_NAMES = [
  ...["entropy", "kl_loss", "kl_coef", "pg_loss", "pg_clipfrac", "ppo_kl", "grad_norm", "lr"].map((n) => `actor/${n}`),
  ...["score", "rewards", "advantages", "returns"].flatMap((n) =>
    ["mean", "max", "min"].map((of) => `critic/${n}/${of}`)
  ),
  ...["mean", "max", "min", "clip_ratio"].map((of) => `response_length/${of}`),
  ...["gen", "old_log_prob", "ref", "adv", "update_actor", "step"].map((n) => `timing_s/${n}`),
  "perf/throughput",
];

function verlLine(record: number): string {
  const values = VERL_NAMES.map((name, i) => {
    const value = draw(record, i);
    return `${name}:${name.endsWith("/max") ? `np.float64(${value})` : name.includes("length") ? 500 * value : value}`;
  });
  return `(TaskRunner pid=23711) step:${record} - ${values.join(" - ")}`;
}

/** Records and noise in turns. */
function withNoise(size: number, recordOf: (record: number) => string, perRecord: number): Uint8Array {
  const lines: string[] = [];
  for (let record = 1, length = 0; length < size; record++) {
    lines.push(recordOf(record));
    for (let i = 0; i < perRecord; i++) lines.push(NOISE[Math.floor(NOISE.length * draw(record, 100 + i))]!(record));
    length += lines.slice(-perRecord - 1).reduce((sum, line) => sum + line.length + 1, 0);
  }
  return new TextEncoder().encode(lines.join("\n") + "\n");
}

/** The records of a TRL log, one a line. */
function trlRecords(size: number): string[] {
  return new TextDecoder().decode(trainingLog(size)).split("\n").filter((line) =>
    line.startsWith("{") && line.endsWith("}")
  );
}

const RECORD = 500; // Bytes of one, nearly.

/** Lines of posts that somebody wrote. */
async function prose(): Promise<string> {
  const folders = ["real", "further", "written"].map((name) =>
    new URL(`../../posts/${name}`, import.meta.url).pathname
  );
  const posts = (await Promise.all(folders.map(labelledPosts))).flat().filter(({ file }) => !file.endsWith(".html"));
  return posts.map(({ text }) => text.split("\n").filter((line) => !/[{}|`]/.test(line)).join("\n")).join("\n\n");
}

export const READING_TEXTS = {
  trl: { kind: "log", file: "trl.log", bytes: trainingLog },
  noise: {
    kind: "log",
    file: "noise.log",
    bytes(size) {
      const records = trlRecords(size / 4);
      return withNoise(size, (record) => records[record % records.length]!, NOISE_PER_RECORD);
    },
  },
  verl: { kind: "log", file: "verl.log", bytes: (size) => withNoise(size, verlLine, 2) },
  state: {
    kind: "state",
    file: "trainer_state.json",
    bytes(size) {
      const steps = Math.min(STATE_STEPS, Math.floor(size / RECORD));
      const history = trlRecords(2 * RECORD * steps).slice(0, steps)
        .map((line, at) => ({ ...JSON.parse(line.replaceAll("'", '"')), step: at + 1 }));
      return new TextEncoder().encode(JSON.stringify({ global_step: steps, log_history: history }, null, 2));
    },
  },
  prose: { kind: "prose", file: "prose.md", bytes: async () => new TextEncoder().encode(await prose()) },
} satisfies Record<string, ReadingText>;
