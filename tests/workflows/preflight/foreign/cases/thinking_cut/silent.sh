accelerate launch --num_processes 4 grpo.py \
  --model_name_or_path deepseek-ai/DeepSeek-R1-Distill-Qwen-1.5B \
  --dataset_name trl-lib/tldr \
  --learning_rate 1e-6 \
  --per_device_train_batch_size 8 \
  --max_completion_length 4096 \
  --num_generations 8 \
  --bf16 true
