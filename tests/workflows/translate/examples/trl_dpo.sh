trl dpo --model_name_or_path Qwen/Qwen2.5-0.5B --dataset_name trl-lib/ultrafeedback_binarized --output_dir out --logging_steps 1
