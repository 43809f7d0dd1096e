from datasets import load_dataset
from peft import LoraConfig
from trl import GRPOConfig, GRPOTrainer

args = GRPOConfig(
    output_dir="out",
    learning_rate=1e-5,
    num_generations=8,
    gradient_checkpointing_kwargs={"use_reentrant": False},
    max_completion_length=1024,
)
trainer = GRPOTrainer(model="Qwen/Qwen2.5-1.5B-Instruct", args=args, reward_funcs=score, peft_config=LoraConfig(r=16, lora_alpha=32), train_dataset=load_dataset("trl-lib/tldr"))
