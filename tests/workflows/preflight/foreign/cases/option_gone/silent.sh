accelerate launch --num_processes 4 sft.py \
  --model_name_or_path Qwen/Qwen2.5-1.5B \
  --dataset_name trl-lib/Capybara \
  --eval_strategy steps \
  --max_steps 1000
