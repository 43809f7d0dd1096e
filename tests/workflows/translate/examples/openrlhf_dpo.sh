read -r -d '' training_commands <<EOF
openrlhf.cli.train_dpo \
   --pretrain OpenRLHF/Llama-3-8b-sft-mixture \
   --dataset OpenRLHF/preference_dataset_mixture2_and_safe_pku \
   --train_batch_size 256 --beta 0.1 --learning_rate 5e-7 --nll_loss_coef 0.05 --zero_stage 3
EOF
if [[ ${1} != "slurm" ]]; then
    deepspeed --module $training_commands
fi
