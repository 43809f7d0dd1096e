NPROC_PER_NODE=4 \
swift rlhf \
    --rlhf_type ppo \
    --model Qwen/Qwen2.5-7B-Instruct \
    --dataset AI-MO/NuminaMath-TIR \
    --reward_model Qwen/Qwen2.5-7B-rm \
    --tuner_type lora \
    --learning_rate 1e-5 \
    --per_device_train_batch_size 4 \
    --packing false \
    --max_completion_length 1024
