accelerate launch --num_processes 4 sft.py \
  --model_name_or_path Qwen/Qwen2.5-1.5B \
  --dataset_name trl-lib/Capybara \
  --num_train_epochs 3 \
  --max_steps 1000
