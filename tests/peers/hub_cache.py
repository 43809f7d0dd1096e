"""Fetches from, or looks into, the cache of huggingface_hub: what tests hold ours beside."""
import argparse
import hashlib
import json
import pathlib

import huggingface_hub

parser = argparse.ArgumentParser()
parser.add_argument("--repo", required=True)
parser.add_argument("--type", default="model")
parser.add_argument("--revision", default="main")
parser.add_argument("--local", action="store_true")
parser.add_argument("--share", action="store_true", help="large files as those of Xet lie: in the store of the whole cache")
given = parser.parse_args()
folder = huggingface_hub.snapshot_download(
    given.repo, repo_type=given.type, revision=given.revision, local_files_only=given.local
)
if given.share:
    from huggingface_hub.utils import _shared_blobs

    cache = pathlib.Path(huggingface_hub.constants.HF_HUB_CACHE)
    for blob in (cache / f"{given.type}s--{given.repo.replace('/', '--')}" / "blobs").iterdir():
        size, digest = blob.stat().st_size, hashlib.sha256(blob.read_bytes()).hexdigest()
        assert _shared_blobs.publish_blob_to_shared_store(
            blob_path=str(blob), xet_hash=digest, cache_dir=cache, expected_size=size
        )
scan = huggingface_hub.scan_cache_dir()
found = huggingface_hub.try_to_load_from_cache(given.repo, "chat_template.jinja", revision=given.revision, repo_type=given.type)
print(json.dumps({
    "folder": folder,
    "repos": sorted(repo.repo_id for repo in scan.repos),
    "warnings": [str(warning) for warning in scan.warnings],
    "absent": found is not None and not isinstance(found, str),
}))
