from trl import DataCollatorForCompletionOnlyLM, SFTConfig, SFTTrainer

collator = DataCollatorForCompletionOnlyLM("### Answer:", tokenizer=tokenizer)
args = SFTConfig(output_dir="out", learning_rate=2e-5, packing=False)
trainer = SFTTrainer(model="Qwen/Qwen2.5-1.5B", args=args, data_collator=collator, train_dataset=rows)
