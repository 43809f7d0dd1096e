accelerate launch --num_processes 4 -m trl.scripts.rloo \
  --model_name_or_path ${MODEL:-Qwen/Qwen3-0.6B} --per_device_train_batch_size 2 --gradient_accumulation_steps 2 --max_steps 10
