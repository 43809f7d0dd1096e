from unsloth import FastLanguageModel
from trl import GRPOConfig, GRPOTrainer

model, tokenizer = FastLanguageModel.from_pretrained(
    model_name="unsloth/Qwen2.5-3B-Instruct",
    max_seq_length=2048,
    full_finetuning=False,
    max_lora_rank=32,
)
model = FastLanguageModel.get_peft_model(
    model,
    r=32,
    target_modules=["q_proj", "k_proj", "v_proj", "o_proj"],
    lora_alpha=32,
)
trainer = GRPOTrainer(
    model=model,
    processing_class=tokenizer,
    reward_funcs=[score],
    args=GRPOConfig(
        learning_rate=5e-6,
        num_generations=8,
        max_prompt_length=512,
        max_completion_length=1024,
    ),
    train_dataset=dataset,
)
