set -x
ray job submit --address="http://127.0.0.1:8265" \
   --runtime-env-json='{"working_dir": "/openrlhf"}' \
   -- python3 -m openrlhf.cli.train_ppo_ray \
   --actor.model_name_or_path OpenRLHF/Llama-3-8b-sft-mixture \
   --reward.remote_url examples/python/reward_func.py \
   --data.prompt_dataset OpenRLHF/prompt-collection-v0.1 --data.input_key context_messages --data.apply_chat_template \
   --rollout.batch_size 128 --rollout.n_samples_per_prompt 8 --train.batch_size 256 \
   --algo.advantage.estimator group_norm --algo.kl.init_coef 1e-3 --algo.kl.use_loss --algo.kl.estimator k3 \
   --actor.adam.lr 5e-7 --ds.zero_stage 3 --actor.eps_clip_low_high 0.2 0.27
