accelerate launch --num_processes 4 dpo.py \
  --model_name_or_path Qwen/Qwen2.5-1.5B-Instruct \
  --dataset_name trl-lib/ultrafeedback_binarized \
  --learning_rate 5e-7 \
  --loss_type exo_pair \
  --beta 0.1 \
  --bf16 true
