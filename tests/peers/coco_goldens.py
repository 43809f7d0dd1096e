"""Writes tests/goldens/datasets/annotations: two small files of annotations, and their boxes as pycocotools reads them.

pip install pycocotools==2.0.11; python tests/peers/coco_goldens.py
"""

import json
import random
from importlib.metadata import version
from pathlib import Path

from pycocotools.coco import COCO

FOLDER = Path(__file__).parent.parent / "goldens" / "datasets" / "annotations"
CATEGORIES = ["person", "traffic_light", "dog", "bow_(weapon)", "bus"]
# Ids of COCO have gaps, and are not in the order of the list.
CATEGORY_IDS = [7, 1, 90, 3, 44]
PLACES = 4


def drawn(seed: int, is_lvis: bool) -> dict:
    draw = random.Random(seed)
    images, annotations = [], []
    for number in range(12):
        id_, width, height = 1000 - 37 * number, draw.choice([640, 333, 1281]), draw.choice([480, 500, 97])
        name = f"{id_:012d}.jpg"
        image = {"id": id_, "width": width, "height": height, "coco_url": f"http://images.example/val2017/{name}"}
        if is_lvis:
            image["neg_category_ids"] = draw.sample(CATEGORY_IDS, 2)
            image["not_exhaustive_category_ids"] = draw.sample(CATEGORY_IDS, 1)
        else:
            image["file_name"] = name
        images.append(image)
    for number in range(40):
        image = draw.choice(images[:10])
        x = round(draw.uniform(0, image["width"] - 3), 2)
        y = round(draw.uniform(0, image["height"] - 3), 2)
        w = round(draw.uniform(0.3, image["width"] - x), 2)
        h = round(draw.uniform(0.3, image["height"] - y), 2)
        category = draw.choice(CATEGORY_IDS[:4])
        if is_lvis and category in image["neg_category_ids"]:
            continue
        annotation = {"id": 5 * number + 2, "image_id": image["id"], "category_id": category, "bbox": [x, y, w, h]}
        annotation |= {"area": w * h, "segmentation": [[x, y, x + w, y, x + w, y + h]]}
        if not is_lvis:
            annotation["iscrowd"] = int(draw.random() < 0.15)
        annotations.append(annotation)
    draw.shuffle(annotations)
    categories = [{"id": id_, "name": name} for id_, name in zip(CATEGORY_IDS, CATEGORIES)]
    if is_lvis:
        for category, frequency in zip(categories, "fcrcf"):
            category |= {"frequency": frequency, "synonyms": [category["name"], f"other {category['name']}"]}
    # Both orders of the members occur.
    order = ["annotations", "images", "categories"] if is_lvis else ["images", "annotations", "categories"]
    lists = {"annotations": annotations, "images": images, "categories": categories}
    return {"info": {"year": 2017}} | {key: lists[key] for key in order}


def boxes(path: Path, is_lvis: bool) -> list[dict]:
    coco, found = COCO(str(path)), []
    for image in coco.getImgIds():
        for category in coco.getCatIds():
            own = coco.getAnnIds(imgIds=image, catIds=category, iscrowd=None)
            # LVIS knows no crowds, and pycocotools asks every annotation for its mark.
            alone = coco.loadAnns(coco.getAnnIds(imgIds=image, catIds=category, iscrowd=None if is_lvis else False))
            if own:
                name = coco.loadCats(category)[0]["name"]
                found.append({"image_id": image, "category": name, "bboxes": [one["bbox"] for one in alone]})
    return found


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    golden = {"source": f"pycocotools {version('pycocotools')}, COCO.getAnnIds and loadAnns", "cases": []}
    for name, is_lvis in (("coco.json", False), ("lvis.json", True)):
        path = FOLDER / name
        path.write_text(json.dumps(drawn(3 + is_lvis, is_lvis)) + "\n")
        golden["cases"].append({"file": name, "pairs": boxes(path, is_lvis)})
    (FOLDER / "boxes.json").write_text(json.dumps(golden) + "\n")


main()
