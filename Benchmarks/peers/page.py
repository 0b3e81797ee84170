"""The page of the figures: its tables are made of a JSON file, between two marks."""

import json
import os
import re

from tools import NAMES

BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"


def read(path):
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def write(path, figures):
    with open(f"{path}.part", "w", encoding="utf-8") as file:
        json.dump(figures, file, indent=1, sort_keys=True, ensure_ascii=False)
        file.write("\n")
    os.rename(f"{path}.part", path)


def short_reason(text):
    """The last line that says anything, as a cell of a table: no bar, and few words."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    words = re.sub(r"/\S*/", "", lines[-1] if lines else "").replace("|", " ").split()
    return " ".join(words[:12])[:100]


def size_text(number):
    return f"{number / 1e6:,.0f}" if number >= 1e7 else f"{number / 1e6:.1f}"


def quality_text(row):
    return ", ".join("equal" if level >= 100 else f"{level:.1f}" for level in (row["psnr"], row["lowest"]))


def row_text(tool, row):
    name = NAMES[tool][0]
    if "cannot" in row:
        return f"| {name} | {row['cannot']} | | | | | | |"
    times = row.get("times", 1)
    cells = [
        name + (f" (× {times})" if times > 1 else ""),
        f"{row['wall']:.1f}",
        f"{row['ratio']:.2f}" if "ratio" in row else "",
        f"{row['cpu']:.1f}",
        size_text(row["memory"]),
        size_text(row["bytes"]),
        quality_text(row),
        str(row["wrong"]),
    ]
    return "| " + " | ".join(cells) + " |"


def ahead(figures, names):
    """Where another tool that shows the right frames is better than splitreel: rows of a table."""
    lines = []
    for name in names:
        rows = figures[name]["tools"]
        ours = rows.get("splitreel", {"cannot": ""})
        if "cannot" in ours:
            continue
        for tool, row in rows.items():
            if "cannot" in row or tool in ("splitreel", "rendered", "cp") or row["wrong"] > ours["wrong"]:
                continue
            kinds = (("wall", "wall time"), ("cpu", "CPU"), ("memory", "memory"), ("bytes", "bytes"))
            what = [word for key, word in kinds if row[key] < ours[key]]
            what += ["PSNR"] if row["psnr"] > ours["psnr"] else []
            if what:
                lines.append(f"| {figures[name]['title']} | {NAMES[tool][0]} | {', '.join(what)} |")
    return ["| film | tool | ahead in |", "|---|---|---|", *lines] if lines else ["No tool is ahead."]


def facts(film):
    machine, versions = film["machine"], film["versions"]
    tools = ", ".join(f"{name} {text.removeprefix(name).strip()}" for name, text in sorted(versions.items()))
    return [
        f"Measured on {film['date']} on {machine['cores']} cores of {machine['processor']}. The machine has "
        f"{machine['memory']} GiB and Linux {machine['kernel']}.",
        "",
        f"Versions: {tools}.",
    ]


def tables(figures, order):
    names = [name for name in order if name in figures]
    if not names:
        return ["No film has been measured yet."]
    lines, told = [], None
    for name in names:
        film = figures[name]
        lines += [f"### {film['title']}", "", film["what"], ""]
        if facts(film) != told:
            told = facts(film)
            lines += told + [""]
        if film["short"]:
            lines += ["This is the short form. Its times tell nothing.", ""]
        lines += [
            "| tool | wall (s) | over splitreel | CPU (s) | memory (MB) | film (MB) | PSNR: median, lowest (dB) "
            "| wrong frames |",
            "|---|---|---|---|---|---|---|---|",
        ]
        lines += [row_text(tool, film["tools"][tool]) for tool in NAMES if tool in film["tools"]]
        count = [row["runs"] for row in film["tools"].values() if "runs" in row]
        lines += [
            "",
            f"The film has {film['frames']:,} frames. Times are medians of {max(count, default=0)} runs.",
            "",
        ]
        parts = [row["times"] for row in film["tools"].values() if row.get("times", 1) > 1]
        if parts:
            lines += [
                f"A tool with × {parts[0]} made one part in {parts[0]} of the film. Its times, bytes and wrong frames "
                f"are those of the part, times {parts[0]}.",
                "",
            ]
    return lines + [
        "### Where others are ahead",
        "",
        "Tools with more wrong frames than splitreel are left out.",
        "",
        *ahead(figures, names),
    ]


def make(path, figures, order):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    before, _, rest = text.partition(BEGIN)
    _, mark, after = rest.partition(END)
    if not mark:
        raise ValueError(f"{path} has no place for figures: {BEGIN} … {END}")
    made = "\n".join([before + BEGIN, "", *tables(figures, order), "", END + after])
    with open(f"{path}.part", "w", encoding="utf-8") as file:
        file.write(made)
    os.rename(f"{path}.part", path)
