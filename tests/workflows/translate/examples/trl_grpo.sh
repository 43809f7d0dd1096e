# A command of the system's own documentation, with options that decide numbers.
trl grpo --model_name_or_path Qwen/Qwen2.5-0.5B --dataset_name HuggingFaceH4/Polaris-Dataset-53K --reward_funcs accuracy_reward \
  --output_dir out --logging_steps 1 --num_generations 4 --beta=0.04 --no_bf16 --top_k -1
