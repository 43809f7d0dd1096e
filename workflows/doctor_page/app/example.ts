/** A log to try the page with: made up, of a run that dies slowly. @module */

const STEPS = 120, ONSET = 60;

/** Lines as TRL prints them: the reward rises, then the policy runs away from its reference and loses what it could. */
export function exampleLog(): string {
  let drawn = 12345;
  const noise = () => (drawn = drawn * 16807 % 2147483647) / 2147483647 - 0.5;
  const lines = [
    "{'loss_type': 'grpo', 'num_generations': 8, 'learning_rate': 2e-05, 'beta': 0.0, 'temperature': 1.0}",
  ];
  for (let step = 1; step <= STEPS; step++) {
    const bad = Math.max(0, step - ONSET) / (STEPS - ONSET);
    const reward = Math.max(0.01, (0.2 + 0.45 * Math.min(1, step / ONSET)) * (1 - bad) + 0.04 * noise());
    const entropy = Math.max(0.012, 1.4 - 0.5 * step / STEPS - 0.9 * Math.min(1, 1.6 * bad) + 0.05 * noise());
    const values = {
      loss: (0.002 * noise()).toFixed(4),
      grad_norm: (0.4 + 0.1 * noise() + 3 * bad * bad).toFixed(4),
      learning_rate: "2e-05",
      reward: reward.toFixed(4),
      reward_std: Math.max(0, 0.35 * (1 - bad) + 0.03 * noise()).toFixed(4),
      frac_reward_zero_std: Math.min(1, Math.max(0, 0.1 + bad + 0.05 * noise())).toFixed(4),
      kl: (0.004 * step * (1 + 14 * bad * bad) + 0.005 * Math.abs(noise())).toFixed(4),
      entropy: entropy.toFixed(4),
      "completions/mean_length": (180 + 10 * noise() - 120 * bad).toFixed(1),
      "completions/clipped_ratio": "0.0",
      epoch: (step / 100).toFixed(2),
    };
    lines.push(`{${Object.entries(values).map(([name, value]) => `'${name}': ${value}`).join(", ")}}`);
  }
  return lines.join("\n") + "\n";
}
