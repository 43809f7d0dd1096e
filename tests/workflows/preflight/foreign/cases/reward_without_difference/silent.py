from datasets import load_dataset
from trl import GRPOConfig, GRPOTrainer

dataset = load_dataset("trl-lib/tldr", split="train")


def reward_short(completions, **kwargs):
    return [-abs(20 - len(completion)) for completion in completions]


args = GRPOConfig(
    output_dir="out",
    learning_rate=1e-6,
    num_generations=8,
    max_completion_length=128,
)
trainer = GRPOTrainer(
    model="Qwen/Qwen2.5-0.5B-Instruct", reward_funcs=reward_short, args=args, train_dataset=dataset
)
trainer.train()
