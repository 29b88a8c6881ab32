"""Render named shots.

    npm run art -- SHOT... [--size 1600] [--spp 48] [--draft]

Each shot is rendered twice (two seeds) to half-buffers with feature passes, denoised by denoise.py, and written
through Filmic to masters/SHOT.png (another folder with the variable OUT).  --draft writes a noisy tmp/SHOT-draft.png.
"""
import argparse
import json
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import bpy  # noqa: E402
import scene as F  # noqa: E402
import shots  # noqa: E402
import stories  # noqa: E402

OUT = os.environ.get("OUT", f"{HERE}/masters")
SHOTS = shots.SHOTS | stories.SHOTS


def setup(size, spp, look="Medium High Contrast"):
    """Cycles and colour settings."""
    s = bpy.context.scene
    s.render.engine = "CYCLES"
    c = s.cycles
    c.device, c.samples, c.use_denoising = "CPU", spp, False
    c.use_adaptive_sampling, c.adaptive_threshold, c.adaptive_min_samples = True, 0.05, 10
    c.max_bounces, c.diffuse_bounces, c.glossy_bounces, c.transmission_bounces = 4, 2, 3, 3
    c.caustics_reflective = c.caustics_refractive = False
    c.blur_glossy, c.sample_clamp_indirect, c.sample_clamp_direct = 0.6, 1.5, 0.0
    c.filter_width = 1.5
    s.render.use_persistent_data = True
    s.render.threads_mode, s.render.threads = "FIXED", 2
    w, h = size
    s.render.resolution_x, s.render.resolution_y = w, h
    s.view_settings.view_transform, s.view_settings.look = "Filmic", look
    s.render.image_settings.file_format = "PNG"


def hold_out(only):
    """Leave a hole wherever the camera sees another material than those of that name, or without a name, neither paint nor
    counter: another color of the same scene changes no more."""
    product = [o for e in bpy.data.objects if e.type == "EMPTY" and e.name.startswith(("bowl", "lid", "product")) for o in e.children_recursive]
    kept = {m.name for o in product if o.type == "MESH" for m in o.data.materials if not m.name.startswith("liner")}
    bpy.context.scene.render.film_transparent = True
    for m in [m for m in bpy.data.materials if m.use_nodes]:
        if m.name.startswith(only) if only else m.name in kept or m.name.startswith("stone"):
            continue
        nt = m.node_tree
        out = next(n for n in nt.nodes if n.type == "OUTPUT_MATERIAL")
        mix, ray, hole = (nt.nodes.new(f"ShaderNode{k}") for k in ("MixShader", "LightPath", "Holdout"))
        nt.links.new(ray.outputs["Is Camera Ray"], mix.inputs[0])
        nt.links.new(out.inputs[0].links[0].from_socket, mix.inputs[1])
        nt.links.new(hole.outputs[0], mix.inputs[2])
        nt.links.new(mix.outputs[0], out.inputs[0])


def render(shot, size, spp, draft, rect=None, only=None):
    """Build, render and denoise one shot."""
    t0 = time.time()
    bpy.ops.wm.read_factory_settings(use_empty=True)
    F._cache.clear()
    SHOTS[shot]()
    setup(size, spp if draft else spp // 2)
    s = bpy.context.scene
    build = time.time() - t0
    os.makedirs(f"{OUT}", exist_ok=True)
    os.makedirs(f"{HERE}/tmp", exist_ok=True)
    out = f"{OUT}/{shot}.png"
    t1, c1 = time.time(), time.process_time()
    base, area, repaint = (shots.PATCHES | stories.PATCHES).get(shot, (shot, None, False))
    rect, base = rect or area, f"{OUT}/{base}.png"
    patch = bool(rect) and (draft or os.path.exists(base))
    holes = patch and bool(repaint or only)
    if holes:
        hold_out(only)
    if patch:
        r = s.render
        r.use_border, r.use_crop_to_border = True, True
        r.border_min_x, r.border_max_x, r.border_min_y, r.border_max_y = rect[0], rect[2], 1 - rect[3], 1 - rect[1]
    if draft:
        s.render.filepath = f"{HERE}/tmp/{shot}-draft.png"
        bpy.ops.render.render(write_still=True)
        print("DRAFT", shot, "build %.1f render %.1f" % (build, time.time() - t1), flush=True)
        return
    vl = s.view_layers[0]
    vl.cycles.denoising_store_passes = True
    s.render.image_settings.file_format = "OPEN_EXR_MULTILAYER"
    s.render.image_settings.color_depth = "32"
    halves = []
    for seed in (1, 2):
        s.cycles.seed = seed
        s.render.filepath = f"{HERE}/tmp/{shot}-{seed}.exr"
        bpy.ops.render.render(write_still=True)
        halves.append(s.render.filepath)
    t_render, cpu = time.time() - t1, time.process_time() - c1
    t2 = time.time()
    import denoise
    exr = f"{HERE}/tmp/{shot}-dn.exr"
    alpha = denoise.run(halves, exr)
    t_dn = time.time() - t2
    img = bpy.data.images.load(exr)
    img.colorspace_settings.name = "Linear"
    s.render.image_settings.file_format = "PNG"
    s.render.image_settings.color_mode = "RGB"
    s.render.image_settings.color_depth = "8"
    s.render.dither_intensity = 1.0
    img.save_render(f"{HERE}/tmp/{shot}-patch.png" if patch else out, scene=s)
    if patch:
        denoise.paste(base, f"{HERE}/tmp/{shot}-patch.png", rect, out, alpha if holes else None)
    rec = dict(shot=shot, size=size, spp=spp, build_s=round(build, 1), render_s=round(t_render, 1), render_cpu_s=round(cpu, 1),
               denoise_s=round(t_dn, 1))
    print("DONE", json.dumps(rec), flush=True)
    with open(f"{HERE}/tmp/times.jsonl", "a") as f:
        f.write(json.dumps(rec) + "\n")


if __name__ == "__main__":
    ap = argparse.ArgumentParser(prog="npm run art --")
    ap.add_argument("shots", nargs="*", help="names, or 'all'; none lists them")
    ap.add_argument("--size", help="1600 or 1600x1067; otherwise each shot's own")
    ap.add_argument("--spp", type=int, default=48, help="samples per pixel")
    ap.add_argument("--draft", action="store_true", help="one noisy pass into tmp/")
    ap.add_argument("--patch", help="x0,y0,x1,y1 (fractions from the top left): only that part of a finished master, anew")
    ap.add_argument("--only", help="with --patch: only the materials whose names begin so, as liner")
    a = ap.parse_args(sys.argv[sys.argv.index("--") + 1:])
    unknown = [name for name in a.shots if name not in SHOTS and name != "all"]
    if unknown or not a.shots:
        print(f"There is no shot {', '.join(unknown)}. " if unknown else "", "Shots:", *SHOTS, sep="\n  ")
        sys.exit(2 if unknown else 0)
    for name in (SHOTS if a.shots == ["all"] else a.shots):
        wh = [int(x) for x in a.size.split("x")] if a.size else (stories.SIZES | shots.SIZES).get(name, (1600, 1600))
        rect = tuple(float(x) for x in a.patch.split(",")) if a.patch else None
        render(name, wh if len(wh) == 2 else wh * 2, a.spp, a.draft, rect, a.only)
