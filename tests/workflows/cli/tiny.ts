/** A workflow that a real model runs in about a second. @module */
export const TINY = `name: tiny
params: { train_steps: 6 }
seed: 3
threads: 1
checkpoint: { every: 2, keep: 2 }
steps:
  - { uses: load_prompts, with: { task: addition, digits: 1 } }
  - { uses: load_model, with: { model: tiny_qwen2 } }
  - { id: before, uses: evaluate, with: { split: held_out, modes: [sampled, greedy] } }
  - repeat: \${{ params.train_steps }}
    steps:
      - { uses: sample_groups, with: { prompts_per_step: 8, group_size: 4, max_new_tokens: 4 } }
      - { uses: score_rewards, with: { rewards: [{ uses: verifier }] } }
      - { uses: compute_advantages, with: { estimator: grpo } }
      - { uses: apply_update, with: { learning_rate: 1.0e-4 } }
  - { id: after, uses: evaluate, with: { split: held_out, modes: [sampled, greedy] } }
  - { uses: export_model }
`;
