from datasets import load_dataset
from trl import GRPOConfig, GRPOTrainer

STEPS = 2 * 50


def brevity(completions, **kwargs):
    return [-float(len(completion)) for completion in completions]


training_args = GRPOConfig(
    output_dir=f"out-{STEPS}",
    max_steps=STEPS,
    learning_rate=1e-5,
    per_device_train_batch_size=16,
    steps_per_generation=4,
    num_iterations=2,
    loss_type="dr_grpo",
    scale_rewards=False,
    epsilon_high=0.28,
    lr_scheduler_type="constant_with_warmup",
    warmup_ratio=0.1,
)
trainer = GRPOTrainer(
    model="Qwen/Qwen2-0.5B-Instruct",
    reward_funcs=brevity,
    args=training_args,
    train_dataset=load_dataset("trl-lib/tldr", split="train"),
)
trainer.train()
