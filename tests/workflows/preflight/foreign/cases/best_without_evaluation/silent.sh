accelerate launch --num_processes 4 sft.py \
  --model_name_or_path Qwen/Qwen2.5-1.5B \
  --dataset_name trl-lib/Capybara \
  --load_best_model_at_end true --eval_strategy steps \
  --max_steps 1000
