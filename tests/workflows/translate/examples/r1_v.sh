torchrun --nproc_per_node="8" \
    src/open_r1/grpo.py \
    --output_dir out \
    --model_name_or_path Qwen/Qwen2-VL-2B-Instruct \
    --dataset_name leonardPKU/clevr_cogen_a_train \
    --max_prompt_length 1024 \
    --max_completion_length 1024 \
    --temperature 0.9 \
    --per_device_train_batch_size 1 \
    --gradient_accumulation_steps 2 \
    --bf16 \
    --use_vllm true \
    --attn_implementation flash_attention_2 \
    --max_pixels 401408 \
    --max_steps 500 \
    --num_generations 8 \
    --deepspeed local_scripts/zero3.json
