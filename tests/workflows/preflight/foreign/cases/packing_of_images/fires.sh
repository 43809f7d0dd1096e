accelerate launch --num_processes 4 sft.py \
  --model_name_or_path Qwen/Qwen2.5-VL-3B-Instruct \
  --dataset_name trl-lib/Capybara \
  --packing true \
  --max_steps 1000
