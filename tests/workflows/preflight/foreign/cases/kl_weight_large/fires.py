from trl import GRPOConfig, GRPOTrainer

args = GRPOConfig(output_dir="out", num_generations=8, per_device_train_batch_size=8, beta=4, learning_rate=1e-6)
trainer = GRPOTrainer(model="Qwen/Qwen2.5-7B-Instruct", args=args, reward_funcs=score, train_dataset=rows)
trainer.train()
