accelerate launch --num_processes 4 grpo.py \
  --model_name_or_path Qwen/Qwen2.5-1.5B-Instruct \
  --dataset_name trl-lib/tldr \
  --learning_rate 1e-6 \
  --per_device_train_batch_size 8 \
  --num_generations 8 \
  --bf16 true
