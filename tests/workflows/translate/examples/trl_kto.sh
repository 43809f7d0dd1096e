trl kto --model_name_or_path Qwen/Qwen2.5-0.5B --dataset_name trl-lib/kto-mix-14k --output_dir out
