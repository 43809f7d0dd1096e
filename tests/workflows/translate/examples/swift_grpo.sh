CUDA_VISIBLE_DEVICES=0,1 NPROC_PER_NODE=2 \
swift rlhf --rlhf_type grpo --model Qwen/Qwen2.5-7B-Instruct --train_type full --reward_funcs accuracy format \
    --dataset 'AI-MO/NuminaMath-TIR#1000' --num_generations 8 --per_device_train_batch_size 4 --learning_rate 1e-6 --beta 0.001 --temperature 1.0
