/** A workflow to start from, as `new` writes it. @module */

/** YAML that warms up on a task and trains on it; `inLibrary`: with the path of the schema for the editor. */
export function workflowText(name: string, task: string, inLibrary = true): string {
  return `${inLibrary ? "# yaml-language-server: $schema=../../workflow.schema.json\n" : ""}name: ${name}
about: Say in one sentence what it teaches.
params: { train_steps: 100, learning_rate: 3.0e-4 }
seed: 1
steps:
  - { uses: load_prompts, with: { task: ${task} } }
  - { uses: load_model, with: { model: small_qwen2 } }
  - { uses: fine_tune, with: { until_accuracy: 0.5, max_updates: 1500 } }
  - { id: before, uses: evaluate, with: { split: held_out, limit: 500, modes: [sampled, greedy] } }
  - repeat: \${{ params.train_steps }}
    steps:
      - { uses: sample_groups, with: { prompts_per_step: 16, group_size: 8, max_new_tokens: 6 } }
      - { uses: score_rewards, with: { rewards: [{ uses: verifier }] } }
      - { uses: compute_advantages, with: { estimator: grpo } }
      - uses: apply_update
        with: { learning_rate: "\${{ params.learning_rate }}" }
      - { uses: diagnose }
  - { id: after, uses: evaluate, with: { split: held_out, limit: 500, modes: [sampled, greedy] } }
  - { uses: export_model }
`;
}
