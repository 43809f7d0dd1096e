"""Fetches from, or looks into, the cache of huggingface_hub: what tests hold ours beside."""
import argparse
import json

import huggingface_hub

parser = argparse.ArgumentParser()
parser.add_argument("--repo", required=True)
parser.add_argument("--type", default="model")
parser.add_argument("--revision", default="main")
parser.add_argument("--local", action="store_true")
given = parser.parse_args()
folder = huggingface_hub.snapshot_download(
    given.repo, repo_type=given.type, revision=given.revision, local_files_only=given.local
)
scan = huggingface_hub.scan_cache_dir()
found = huggingface_hub.try_to_load_from_cache(given.repo, "chat_template.jinja", revision=given.revision, repo_type=given.type)
print(json.dumps({
    "folder": folder,
    "repos": sorted(repo.repo_id for repo in scan.repos),
    "warnings": [str(warning) for warning in scan.warnings],
    "absent": found is not None and not isinstance(found, str),
}))
