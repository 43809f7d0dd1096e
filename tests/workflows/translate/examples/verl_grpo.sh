python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo data.train_batch_size=1024 +data.extra=1 \
  actor_rollout_ref.rollout.n=5 actor_rollout_ref.actor.use_kl_loss=True actor_rollout_ref.actor.kl_loss_coef=.001 \
  actor_rollout_ref.actor.clip_ratio=0.3 "trainer.logger=['console','wandb']" trainer.total_training_steps=20 $@
