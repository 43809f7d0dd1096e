/** The log of a TRL run that learns and goes on and on: records, progress bars and the lines of an engine. */
import { uniform } from "../../data/random.ts";

const draw = (record: number, index: number) => uniform(1, "training_log", record, 0, index);

/** One record as TRL prints it. */
function recordLine(record: number): string {
  const noise = (least: number, most: number, index: number) => least + (most - least) * draw(record, index);
  const level = 0.9 - 0.6 * Math.exp(-record / 2000), reward = level + noise(-0.05, 0.05, 0);
  return `{'loss': ${noise(-0.01, 0.01, 1).toFixed(4)}, 'grad_norm': ${noise(0.2, 0.6, 2).toFixed(6)}, ` +
    `'learning_rate': 1e-06, 'num_tokens': ${record * 4000}.0, 'completions/mean_length': ${
      noise(90, 110, 3).toFixed(2)
    }, 'completions/clipped_ratio': 0.01, 'rewards/accuracy_reward/mean': ${reward.toFixed(4)}, ` +
    `'rewards/accuracy_reward/std': 0.4, 'reward': ${reward.toFixed(4)}, 'reward_std': ${
      noise(0.3, 0.4, 4).toFixed(4)
    }, ` +
    `'frac_reward_zero_std': 0.1, 'kl': ${noise(0.001, 0.002, 5).toFixed(5)}, 'entropy': ${
      noise(0.9, 1.1, 6).toFixed(4)
    }, ` +
    `'clip_ratio/low_mean': 0.0, 'epoch': ${(record / 1000).toFixed(4)}}\n`;
}

/** About so many bytes of it. */
export function trainingLog(bytes: number): Uint8Array {
  const encoder = new TextEncoder(), log = new Uint8Array(bytes);
  for (let at = 0, record = 1; at < bytes; record++) {
    const bars = record % 3
      ? ""
      : [0, 20, 40, 60, 80, 100].map((percent) =>
        `Training: ${percent}%|███▌  | ${record}/100000 [00:${record % 60}<01:00, 1.2it/s]\r`
      ).join("") + "\n";
    const engine =
      `INFO 11-23 17:50:38 [engine.py:${record}] Avg prompt throughput: 1234.5 tokens/s, running: 12 reqs\n`;
    at += encoder.encodeInto(recordLine(record) + bars + engine, log.subarray(at)).written || bytes;
  }
  return log;
}

/** A record of a run that has just died; without the epoch, it may stand anywhere. */
export function nanRecord(): string {
  return recordLine(1).replace(/, 'epoch': [^}]+/, "").replace(/'(loss|grad_norm|kl|entropy)': [^,]+/g, "'$1': nan");
}
