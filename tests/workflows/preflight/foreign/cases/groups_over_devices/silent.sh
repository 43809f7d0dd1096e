torchrun --nproc_per_node=8 src/open_r1/grpo_jsonl.py \
  --model_name_or_path Qwen/Qwen2.5-VL-3B-Instruct \
  --data_file_paths a.jsonl \
  --image_folders images \
  --per_device_train_batch_size 4 \
  --num_generations 8 \
  --bf16
