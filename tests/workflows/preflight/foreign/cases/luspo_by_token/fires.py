from datasets import load_dataset
from trl import GRPOConfig, GRPOTrainer

args = GRPOConfig(
    output_dir="out",
    learning_rate=1e-6,
    num_generations=8,
    loss_type="luspo",
    max_completion_length=1024,
)
trainer = GRPOTrainer(model="Qwen/Qwen2.5-1.5B-Instruct", args=args, reward_funcs=score, train_dataset=load_dataset("trl-lib/tldr"))
trainer.train()
