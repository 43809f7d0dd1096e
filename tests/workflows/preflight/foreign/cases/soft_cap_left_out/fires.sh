accelerate launch --num_processes 4 sft.py \
  --model_name_or_path google/gemma-2-9b-it \
  --dataset_name trl-lib/Capybara \
  --attn_implementation sdpa \
  --max_steps 1000
