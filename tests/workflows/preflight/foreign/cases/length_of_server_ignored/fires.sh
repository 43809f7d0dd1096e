NPROC_PER_NODE=4 \
swift rlhf \
    --rlhf_type grpo \
    --model Qwen/Qwen2.5-7B-Instruct \
    --dataset AI-MO/NuminaMath-TIR \
    --reward_funcs accuracy format \
    --tuner_type lora \
    --learning_rate 1e-5 \
    --per_device_train_batch_size 4 \
    --num_generations 8 \
    --use_vllm true --vllm_mode server --vllm_server_host 127.0.0.1 --vllm_max_model_len 8192 \
    --max_completion_length 1024
