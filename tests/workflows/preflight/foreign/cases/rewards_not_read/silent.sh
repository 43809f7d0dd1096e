torchrun --nproc_per_node=8 src/virft/src/open_r1/grpo.py \
  --model_name_or_path Qwen/Qwen2-VL-2B-Instruct \
  --dataset_name ./share_data/ViRFT_COCO_base65 \
  --max_prompt_length 1024 \
  --per_device_train_batch_size 1 \
  --bf16 true \
  --attn_implementation flash_attention_2 \
  --max_pixels 401408 \
  --num_generations 8 \
  --seed 1
