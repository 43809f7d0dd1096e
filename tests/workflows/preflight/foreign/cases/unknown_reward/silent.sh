torchrun --nproc_per_node=8 src/open_r1/grpo_jsonl.py \
  --model_name_or_path Qwen/Qwen2.5-VL-3B-Instruct \
  --data_file_paths rows.jsonl \
  --image_folders images \
  --reward_funcs accuracy format \
  --num_generations 8 \
  --per_device_train_batch_size 8 \
  --max_completion_length 1024 \
  --learning_rate 1e-6 \
  --bf16
