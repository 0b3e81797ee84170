"""Makes a film by MoviePy, as its documentation would: run by its Python with a JSON file of cuts and layers."""

import json
import sys

from moviepy import CompositeVideoClip, ImageClip, VideoFileClip, concatenate_videoclips, vfx

with open(sys.argv[1], encoding="utf-8") as file:
    edit = json.load(file)
shown = []
if edit["cuts"]:
    clips = [VideoFileClip(path, audio=False).subclipped(begin, end) for path, begin, end in edit["cuts"]]
    shown.append(concatenate_videoclips(clips))
for layer in edit["layers"]:
    if "image" in layer:
        clip = ImageClip(layer["image"]).with_duration(layer["seconds"])
    else:
        clip = VideoFileClip(layer["film"], audio=False).subclipped(0, layer["seconds"])
    if layer.get("size", list(clip.size)) != list(clip.size):
        clip = clip.resized(new_size=tuple(layer["size"]))
    if layer.get("fade"):
        clip = clip.with_effects([vfx.CrossFadeIn(layer["fade"])])
    shown.append(clip.with_start(layer["at"]).with_position(tuple(layer["position"])))
# Whoever joins clips alone does not compose them.
whole = shown[0] if len(shown) == 1 and edit["cuts"] else CompositeVideoClip(shown, size=tuple(edit["size"]))
whole.write_videofile(
    edit["output"],
    fps=edit["rate"],
    codec="libx264",
    preset="medium",
    audio=False,
    logger=None,
    ffmpeg_params=["-crf", "20", "-g", "60", "-pix_fmt", "yuv420p"],
)
