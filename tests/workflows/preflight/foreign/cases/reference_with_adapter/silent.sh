NPROC_PER_NODE=4 \
swift rlhf \
    --rlhf_type dpo \
    --model Qwen/Qwen2.5-7B-Instruct \
    --dataset AI-MO/NuminaMath-TIR \
    --tuner_type lora \
    --learning_rate 1e-5 \
    --per_device_train_batch_size 4 \
    --warmup_ratio 0.05 \
    --beta 0.1
