"""Writes the same run with W&B (offline), MLflow (file store and database), Trackio and TensorBoard: goldens of the adapters.

    pip install wandb mlflow trackio tensorboard tensorboardX
    python tests/peers/trackers_goldens.py tests/goldens/trackers

Databases are compressed; of W&B and MLflow only what the adapters read is kept.
"""

import gzip
import os
import shutil
import sqlite3
import sys
import tempfile
from pathlib import Path

out = Path(sys.argv[1]).resolve()
work = Path(tempfile.mkdtemp())
os.chdir(work)
os.environ.update(
    WANDB_MODE="offline", WANDB_SILENT="true", WANDB_DIR=str(work), MLFLOW_ALLOW_FILE_STORE="true",
    TRACKIO_DIR=str(work / "trackio"),
)

CONFIG = {"learning_rate": 1e-6, "num_generations": 8, "loss_type": "grpo", "use_vllm": False, "note": 'a\n"b"'}
STEPS = range(1, 13)


def metrics(step):
    return {
        "train/loss": float("nan") if step > 10 else 0.25 / step,
        "train/reward": step / 16,
        "train/grad_norm": float("inf") if step == 3 else 1.5,
        "train/completions/mean_length": 32.0 + step,
    }


def keep(path, name):
    target = out / name
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(path, target)


def wandb_run():
    import wandb

    settings = wandb.Settings(x_disable_stats=True, x_disable_meta=True, disable_git=True)
    run = wandb.init(project="golden", name="golden", id="golden", config=CONFIG, settings=settings)
    for step in STEPS:
        run.log({**metrics(step), "train/global_step": step * 10})
        if step == 5:
            run.log({"table": wandb.Table(columns=["prompt"], data=[["a"]]), "histogram": wandb.Histogram([1, 2, 3])})
    run.finish()
    wandb.teardown()  # The file is whole when W&B's own process has ended.
    (file,) = work.glob("wandb/offline-run-*/run-golden.wandb")
    keep(file, f"wandb/{wandb.__version__}/run-golden.wandb")


def mlflow_runs():
    import mlflow

    for uri in ["file:./mlruns", "sqlite:///mlflow.db"]:
        mlflow.set_tracking_uri(uri)
        mlflow.set_experiment("golden")
        for name in ["first", "second"]:
            with mlflow.start_run(run_name=name):
                mlflow.log_params({**CONFIG, "seed": 1 if name == "first" else 2})
                for step in STEPS:
                    values = {key: value if name == "first" else value + 1 for key, value in metrics(step).items()}
                    mlflow.log_metrics(values, step=step * 10)
                    mlflow.log_metric("system/cpu_utilization_percentage", 50.0, step=step)
        with mlflow.start_run(run_name="removed") as removed:
            mlflow.log_metric("train/loss", 1.0, step=1)
        mlflow.delete_run(removed.info.run_id)
    (experiment,) = [path for path in (work / "mlruns").iterdir() if path.name not in ("0", ".trash", "1")]
    for path in experiment.rglob("*"):
        if path.is_file() and "mlflow.source" not in path.name:
            relative = path.relative_to(experiment)
            target = out / "mlflow" / "mlruns" / "1" / relative
            target.parent.mkdir(parents=True, exist_ok=True)
            if path.name == "meta.yaml":
                target.write_text(path.read_text().replace(str(work), "/golden").replace(experiment.name, "1"))
            else:
                shutil.copy(path, target)
    with sqlite3.connect(work / "mlflow.db") as database:
        database.execute("DELETE FROM tags WHERE key LIKE 'mlflow.source%'")
        database.execute("UPDATE runs SET artifact_uri = replace(artifact_uri, ?, '/golden')", [str(work)])
        database.execute("UPDATE experiments SET artifact_location = replace(artifact_location, ?, '/golden')", [str(work)])
    database.execute("VACUUM")
    packed(work / "mlflow.db", "mlflow/mlflow.db.gz")


def trackio_run():
    import trackio

    trackio.init(project="golden", name="golden", config=CONFIG)
    for step in STEPS:
        trackio.log({**metrics(step), "train/global_step": step * 10})
    trackio.finish()
    packed(work / "trackio" / "golden.db", "trackio/golden.db.gz")


def packed(path, name):
    target = out / name
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(gzip.compress(path.read_bytes(), 9, mtime=0))


def tensorboard_runs():
    from tensorboard.summary import Writer
    from tensorboardX import SummaryWriter

    tensors, values = Writer(str(work / "tensors")), SummaryWriter(str(work / "values"))
    values.add_text("args", __import__("json").dumps(CONFIG))
    for step in STEPS:
        for name, value in metrics(step).items():
            tensors.add_scalar(name, value, step * 10)
            values.add_scalar(name, value, step * 10)
    values.add_histogram("weights", [1.0, 2.0, 3.0], 10)
    values.add_text("completions", "**a**", 10)
    for writer in (tensors, values):
        writer.flush()
        writer.close()
    for kind in ["tensors", "values"]:
        (file,) = (work / kind).iterdir()
        keep(file, f"tensorboard/{kind}/events.out.tfevents.1.golden")


for make in [wandb_run, mlflow_runs, trackio_run, tensorboard_runs]:
    try:
        make()
    except ImportError as error:
        print(f"{make.__name__}: left out, {error}")
