#!/bin/bash
export GPUS_PER_NODE=8
export NNODES=1
export DATA_PATH=./share_data/base65cate_6k_think
export CKPT_PATH=./share_models/Qwen2-VL-2B-Instruct
export SAVE_PATH=./out
export DEBUG_MODE="true"
export LOG_PATH="./debug_log.txt"
srun -p mllm --nodes=$NNODES ${SRUN_ARGS} \
    bash -c 'torchrun --nnodes $NNODES --nproc_per_node $GPUS_PER_NODE --node_rank $SLURM_NODEID src/open_r1/grpo.py \
    --output_dir ${SAVE_PATH}  \
    --model_name_or_path ${CKPT_PATH} \
    --dataset_name ${DATA_PATH} \
    --deepspeed ./local_scripts/zero3.json \
    --max_prompt_length 1024 \
    --per_device_train_batch_size 1 \
    --gradient_accumulation_steps 2 \
    --logging_steps 1 \
    --bf16 \
    --report_to wandb \
    --gradient_checkpointing false \
    --attn_implementation flash_attention_2 \
    --max_pixels 401408 \
    --num_train_epochs 2 \
    --run_name x \
    --save_steps 100 \
    --save_only_model true \
    --num_generations 8 '
