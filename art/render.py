"""Render named shots.

    blender -b --factory-startup --python-exit-code 3 --python render.py -- SHOT... [--size 1200] [--spp 96] [--draft]

Each shot is rendered twice (two seeds) to half-buffers with feature passes, denoised by denoise.py, and written
through Filmic to masters/SHOT.png (another folder with the variable OUT).  --draft writes a noisy tmp/SHOT-draft.png.
"""
import argparse
import json
import math
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import bpy  # noqa: E402
import scene as F  # noqa: E402

OUT = os.environ.get("OUT", f"{HERE}/masters")
V = F.Vector
PAPER = {"black": "#E9E8E6", "green": "#E9E7E1", "white": "#CFC9BF"}


def hero(colour, model="pro", azimuth=0, elev=21, dist=8.9, rot=None):
    """Closed container, three-quarter from above."""
    p = F.product(colour, model, label=False)
    p.rotation_euler.z = math.radians(-13 if rot is None else rot)
    dark, white = colour == "black", colour == "white"
    F.studio(key=0.95 if white else 1.0, rim=2.6 if dark else 1.0, top=0.52 if dark else 0.78 if white else 0.95,
             paper=PAPER[colour], sweep=0.85 if white else 1.25 if dark else 1.15, front=0.75 if dark else 1.0)
    t = (0, 0, 0.60)
    F.camera(F.orbit(t, dist, azimuth, elev), t, 85, 11, (0, -1.1, .75))


def lid_detail(colour="green"):
    """Cap and light ring from close by, with the lid's front edge and the gap below it in the lower third."""
    F.product(colour).rotation_euler.z = math.radians(-14)
    F.studio(key=1.05 if colour == "white" else 0.8, rim=2.2 if colour == "black" else 1.6,
             top=0.62 if colour == "white" else 0.42, front=0.5 if colour == "white" else 0.35,
             sweep=0.7, paper=PAPER[colour], fill=0.08, target=(0, 0, 1.2))
    t = (0.03, -0.42, F.LID_TOP - 0.04)
    F.camera(F.orbit(t, 4.6, -14, 30), t, 100, 13, (0.0, -0.35, F.LID_TOP))


def exploded(colour="green"):
    """Sectioned bowl, lid and cartridge floating on one axis."""
    F.bowl(colour, half=True)
    l = F.lid(colour)
    l.location.z = 0.56
    c = F.cartridge(colour)
    c.location.z = F.LID_TOP - 0.17 + 1.06
    F.studio(rim=1.1, top=0.8, paper=PAPER[colour], target=(0, 0, 1.1), front=1.3)
    t = (0, 0, 1.10)
    F.camera(F.orbit(t, 8.8, 0, 14), t, 85, 16, (0, -.3, 1.2))


def lean(a_loc, height, turn, side, tilt=73):
    """Pose for a cartridge that stands on the floor and leans back on the edge of a stack of that height."""
    th, tu, r = math.radians(tilt), math.radians(turn), F.CART_R
    zc = r * math.sin(th)
    s = r + (height - zc) / math.tan(th) + 0.002
    back, across = V((-math.sin(tu), math.cos(tu), 0)), V((math.cos(tu), math.sin(tu), 0))
    p = V(a_loc) - back * s - across * side
    return (p.x, p.y, zc + 0.001), (th, 0, tu)


def filter_studio():
    """Sage paper and bright frontal light for the white cartridges."""
    F.studio(key=0.95, rim=1.3, top=0.7, front=0.95, sweep=0.75, paper="#A9A892", fill=0.12, target=(0, 0, .2))


def filters(colour="white"):
    """Two replacement cartridges: one flat, one leaning on it."""
    a = F.cartridge(colour)
    a.location, a.rotation_euler.z = (-0.30, 0.10, 0), math.radians(8)
    b = F.cartridge(colour)
    b.location, b.rotation_euler = lean(a.location, 0.17, 22, -0.31)
    filter_studio()
    t = (-0.02, -0.05, 0.27)
    F.camera(F.orbit(t, 3.7, 4, 24), t, 85, 11, (0.1, -.2, .4))


def filters6(colour="white"):
    """Six cartridges: stacks of three and two, the sixth leaning on the lower stack."""
    spots = [(-0.66, 0.16, i * 0.171, 8 + 17 * i) for i in range(3)] + [(0.20, 0.30, i * 0.171, -14 - 20 * i) for i in range(2)]
    for x, y, z, turn in spots:
        c = F.cartridge(colour)
        c.location, c.rotation_euler.z = (x, y, z), math.radians(turn)
    c = F.cartridge(colour)
    c.location, c.rotation_euler = lean((0.20, 0.30, 0), 0.341, 24, -0.36, 70)
    filter_studio()
    t = (0.03, 0.0, 0.29)
    F.camera(F.orbit(t, 5.9, 2, 29), t, 85, 11, (0, -.1, .3))


POSES = f"{HERE}/poses.json"


def settled(name, items, containers, frames):
    """Settle items by physics once; later runs read the poses from poses.json."""
    store = json.load(open(POSES)) if os.path.exists(POSES) else {}
    if len(store.get(name, [])) == len(items):
        for ob, m in zip(items, store[name]):
            ob.matrix_world = F.Matrix([m[i:i + 4] for i in range(0, 16, 4)])
    else:
        F.settle(items, containers, frames)
        store[name] = [[round(x, 5) for row in ob.matrix_world for x in row] for ob in items]
        json.dump(store, open(POSES, "w"))
    for o in containers:
        bpy.data.objects.remove(o)


def fill_bowl():
    """Tomatoes, avocados, limes, blueberries and lettuce in the bowl that stands at the origin."""
    hidden = F.disc("floor", 1.2, None, 64)
    hidden.location.z = 0.58
    ring = F.lathe("guard", [(0.9, 0.30), (1.06, 0.62), (1.09, 1.03), (1.25, 1.5)], None, seg=64)
    R = F.random.Random(4)
    items = []

    def drop(ob, x, y, z, rot=None):
        ob.location = (x, y, z)
        ob.rotation_euler = rot or (R.uniform(-.5, .5), R.uniform(-.5, .5), R.uniform(0, 6))
        items.append(ob)
    drop(F.tomato(.34, 1), -.50, -.20, .95, (.25, -.2, 0))
    drop(F.tomato(.32, 2), .06, -.58, .85, (.35, .2, 2))
    drop(F.tomato(.31, 3), -.18, .30, .95)
    drop(F.avocado(.30, 1), .55, .10, .90, (1.35, .2, .7))
    drop(F.avocado(.29, 2), .30, .55, 1.2, (1.4, -.1, 2.3))
    for i, (x, y, z) in enumerate([(.62, -.50, .85), (-.72, .35, .95), (.15, -.05, 1.35), (.72, .50, 1.5)]):
        drop(F.citrus("lime", .225, i), x, y, z, (1.2 + R.uniform(-.4, .4), R.uniform(-.3, .3), R.uniform(0, 6)))
    for i in range(34):
        a, rr = R.uniform(-1.5, -.75), R.uniform(.45, .9)
        drop(F.blueberry(R.uniform(.058, .090), i), rr * math.cos(a), rr * math.sin(a), 1.3 + .11 * (i // 4))
    settled("bowl", items, [hidden, ring], 120)
    for i, (a, ln, w, c) in enumerate([(75, .95, .85, 1.15), (120, 1.0, .8, 1.0), (160, .85, .75, 1.2), (28, .85, .75, 1.1),
                                       (100, .8, .8, 1.35)]):
        lf = F.leaf(ln, w, .085, c, seed=i + 3)
        lf.location = (.50 * math.cos(math.radians(a)), .50 * math.sin(math.radians(a)), .66)
        lf.rotation_euler = (math.radians(18), 0, math.radians(a - 90))
    return items


def loose_lid(colour, loc, turn=0.5):
    """The lid lying flat, cartridge in place."""
    l = F.group("lidset", [F.lid(colour)])
    c = F.cartridge(colour, label=False)
    c.location.z = F.LID_TOP - .168
    c.parent = l
    l.location, l.rotation_euler = (loc[0], loc[1], 0.06 - F.LID_Z + .002), (0, 0, turn)
    return l


def scatter_berries(n, centre, spread, first=60, seed=7):
    """A loose cluster of blueberries on the table, none overlapping."""
    R, placed = F.random.Random(seed), []
    while len(placed) < n:
        a, d = R.uniform(0, 6.3), R.uniform(.0, spread)
        r = R.uniform(.060, .088)
        p = V((centre[0] + d * math.cos(a) * 1.4, centre[1] + d * .6 * math.sin(a), r * .88))
        if all((p - q).length > r + s for q, s in placed):
            placed.append((p, r))
            bb = F.blueberry(r, first + len(placed))
            bb.location, bb.rotation_euler = p, (R.uniform(-1.2, 1.2), R.uniform(-1.2, 1.2), 0)


def open_produce(colour):
    """Bowl open and filled, lid lying behind right, on studio paper; one camera for all colours."""
    F.bowl(colour).rotation_euler.z = math.radians(-6)
    fill_bowl()
    loose_lid(colour, (1.62, 1.62))
    dark, white = colour == "black", colour == "white"
    F.studio(key=0.95 if white else 1.0, rim=2.0 if dark else 1.0, top=0.55 if dark else 0.7 if white else 0.8,
             paper=PAPER[colour], sweep=0.85 if white else 1.2, front=0.8 if dark else 0.95, target=(.3, .3, .6))
    t = (0.58, 0.3, 0.56)
    F.camera(F.orbit(t, 10.7, -5, 27), t, 85, 13, (0, -.6, 1.0))


def lifestyle(colour="green"):
    """Filled bowl on a kitchen counter in low morning light."""
    F.kitchen()
    F.bowl(colour).rotation_euler.z = math.radians(-12)
    fill_bowl()
    loose_lid(colour, (2.12, 0.62))
    for kind, x, y, s, rot in (("tomato", -1.72, -.50, 9, (.12, .1, 1)), ("tomato", -2.05, .22, 11, (.2, -.1, 2.4)),
                               ("lime", -1.38, -1.12, 8, (1.5, .2, .5))):
        ob = F.tomato(.33, s) if kind == "tomato" else F.citrus("lime", .225, s)
        ob.location, ob.rotation_euler = (x, y, .272 if kind == "tomato" else .222), rot
    scatter_berries(11, (.80, -1.42), .42)
    F.props()
    t = (0.18, 0, 0.66)
    F.camera(F.orbit(t, 8.8, -4, 20), t, 66, 4.0, (0, -.8, 1.0))


def dock(colour="black"):
    """Charging dock in front, the bowl behind it."""
    d = F.dock("#101318", "#2A2D31", "#1B1E22")
    d.location = (-.50, -.85, 0)
    p = F.product(colour, label=False)
    p.location, p.rotation_euler = (.62, 1.25, 0), (0, 0, .1)
    F.studio(key=0.9, rim=2.2, top=0.6, front=0.8, sweep=1.0, paper="#D8D6D1", target=(0, 0, .4))
    t = (0.05, 0.1, 0.44)
    F.camera(F.orbit(t, 8.8, -4, 26), t, 85, 13, (-.5, -.9, .2))


def sleeve(colour="white"):
    """Bowl in the travel sleeve, carry strap over the lid."""
    p = F.product(colour, label=False)
    s = F.travel_sleeve()
    s.rotation_euler.z = math.radians(-28)
    p.rotation_euler.z = math.radians(-8)
    F.studio(key=0.95, rim=1.1, top=0.75, front=0.9, sweep=0.9, paper="#D2CEC4", target=(0, 0, .7))
    t = (0, 0, 0.76)
    F.camera(F.orbit(t, 9.6, 0, 19), t, 85, 11, (0, -1.1, .75))


def produce_basket():
    """The insert basket with a few tomatoes, limes and a lemon."""
    F.basket()
    floor = F.disc("floor", 0.8, None, 64)
    floor.location.z = 0.05
    ring = F.lathe("guard", [(0.70, 0.0), (0.80, 0.16), (0.93, 0.45), (0.97, 0.60), (1.0, 1.6)], None, seg=64)
    items = []
    R = F.random.Random(11)
    for i, (kind, x, y, z) in enumerate([("tomato", -.34, -.22, .4), ("lime", .30, -.40, .4), ("tomato", .36, .20, .45), ("lemon", -.30, .40, .4),
                                         ("lime", .02, .02, .75), ("tomato", -.05, .38, .95), ("lime", -.45, .1, 1.0), ("lemon", .28, -.14, 1.1),
                                         ("tomato", -.12, -.35, 1.0)]):
        ob = F.tomato(.29 + .02 * (i % 3), 20 + i) if kind == "tomato" else F.citrus(kind, .21 if kind == "lime" else .24, i)
        ob.location = (x, y, z)
        ob.rotation_euler = (R.uniform(-.4, .4), R.uniform(-.4, .4), R.uniform(0, 6)) if kind == "tomato" else (1.3, R.uniform(-.3, .3), R.uniform(0, 6))
        items.append(ob)
    settled("basket", items, [floor, ring], 100)
    F.studio(key=0.95, rim=1.0, top=0.75, front=0.9, sweep=0.85, paper=PAPER["white"], target=(0, 0, .4))
    t = (0, 0, 0.40)
    F.camera(F.orbit(t, 7.6, 0, 30), t, 85, 11, (0, -.8, .4))


def usb_back(colour="black"):
    """Rear view with the USB-C port."""
    F.product(colour, label=False).rotation_euler.z = math.radians(180 - 20)
    F.studio(rim=2.2, top=.55, front=1.0, paper=PAPER[colour], sweep=1.15)
    t = (0, 0, 0.62)
    F.camera(F.orbit(t, 8.6, 0, 11), t, 85, 11, (-.3, -1.1, .45))


def breakfast(colour="white"):
    """Berries in the white bowl beside a small plate, morning light."""
    F.kitchen(counter="wood")
    F.bowl(colour).rotation_euler.z = math.radians(10)
    mound = F.lathe("mound", [(0, 1.0), (.5, .95), (.95, .80), (1.05, .76)], F.plastic("#14101C", 0.9))
    R, placed, kinds = F.random.Random(5), [], {}
    for _ in range(9000):          # dart throwing over the mound, then a few on top
        a, d = R.uniform(0, 6.2832), 1.02 * math.sqrt(R.random())
        rasp = math.sin(2 * a + 1.2) + .6 * math.sin(5 * d + a) > .25
        r = .098 if rasp else R.uniform(.062, .090)
        z = 1.0 - .21 * d * d + r * .45 + (.10 if len(placed) > 210 else 0)
        p = V((d * math.cos(a), d * math.sin(a), z))
        if d + r < 1.09 and all((p - q).length > (r + s) * .90 for q, s in placed):
            placed.append((p, r))
            key = (rasp, len(placed) % 8)
            if key not in kinds:
                kinds[key] = F.raspberry(.098, key[1]) if rasp else F.blueberry(.078, key[1])
                ob = kinds[key]
            else:
                ob = bpy.data.objects.new("berry", kinds[key].data)
                bpy.context.collection.objects.link(ob)
            ob.location, ob.scale = p, (r / (.098 if rasp else .078),) * 3
            ob.rotation_euler = (R.uniform(-1.6, 1.6), R.uniform(-1.6, 1.6), R.uniform(0, 6)) if rasp else (R.uniform(-1, 1), R.uniform(-1, 1), 0)
        if len(placed) >= 260:
            break
    loose_lid(colour, (-2.1, 1.0))
    scatter_berries(8, (1.55, -.95), .34)
    for i, (x, y) in enumerate([(1.25, -1.30), (-1.25, -1.15), (-1.48, -.98)]):
        ob = F.raspberry(.098, i)
        ob.location, ob.rotation_euler = (x, y, .085), (1.45, 0, 2.1 * i + .4)
    F.props()
    t = (0.05, 0, 0.66)
    F.camera(F.orbit(t, 8.8, 5, 24), t, 66, 4.0, (0, -.8, 1.0))


def banner(colour="green"):
    """Wide home picture: filled bowl right of the middle, quiet wall on the left for text."""
    F.kitchen()
    F.bowl(colour).rotation_euler.z = math.radians(-8)
    fill_bowl()
    loose_lid(colour, (2.05, 0.85))
    ob = F.citrus("lime", .225, 8)
    ob.location, ob.rotation_euler = (-1.45, -.70, .222), (1.5, .2, .5)
    ob = F.tomato(.33, 9)
    ob.location, ob.rotation_euler = (-1.66, .10, .272), (.12, .1, 1)
    scatter_berries(8, (.75, -1.30), .34)
    t = (-1.35, 0.1, 0.80)
    F.camera(F.orbit(t, 11.4, -3, 15), t, 66, 4.0, (0, -.8, 1.0))


COLOURS = {"midnight-black": "black", "earth-green": "green", "frost-white": "white"}
SHOTS = {}
for _long, _c in COLOURS.items():
    SHOTS[f"pro-{_long}-hero"] = lambda c=_c: hero(c)
    SHOTS[f"classic-{_long}-hero"] = lambda c=_c: hero(c, "classic")
    SHOTS[f"pro-{_long}-lid"] = lambda c=_c: lid_detail(c)
    SHOTS[f"pro-{_long}-open"] = lambda c=_c: open_produce(c)
    SHOTS[f"pro-{_long}-back"] = lambda c=_c: usb_back(c)
SHOTS.update({
    "pro-earth-green-exploded": exploded,
    "filter-2-pack": filters,
    "filter-6-pack": filters6,
    "charging-dock": dock,
    "travel-sleeve": sleeve,
    "produce-basket": produce_basket,
    "lifestyle-counter": lifestyle,
    "lifestyle-breakfast": breakfast,
    "banner": banner,
})


# shots equal to another one outside a rectangle (display and light ring): its half-buffers are reused when kept in
# tmp/ at the same size and spp
PATCHES = {f"classic-{c}-hero": (f"pro-{c}-hero", (0.33, 0.26, 0.66, 0.65)) for c in COLOURS}


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
    s.render.threads_mode, s.render.threads = "FIXED", 2
    w, h = size
    s.render.resolution_x, s.render.resolution_y = w, h
    s.view_settings.view_transform, s.view_settings.look = "Filmic", look
    s.render.image_settings.file_format = "PNG"


def render(shot, size, spp, draft):
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
    if draft:
        s.render.filepath = f"{HERE}/tmp/{shot}-draft.png"
        bpy.ops.render.render(write_still=True)
        print("DRAFT", shot, "build %.1f render %.1f" % (build, time.time() - t1), flush=True)
        return
    vl = s.view_layers[0]
    vl.cycles.denoising_store_passes = True
    s.render.image_settings.file_format = "OPEN_EXR_MULTILAYER"
    s.render.image_settings.color_depth = "32"
    halves, patch = [], {}
    base, rect = PATCHES.get(shot, (None, None))
    base = base and [f"{HERE}/tmp/{base}-{seed}.exr" for seed in (1, 2)]
    if base and all(map(os.path.exists, base)):      # differs from a finished shot in one region only
        patch = dict(base=base, rect=rect)
        r = s.render
        r.use_border, r.use_crop_to_border = True, False
        r.border_min_x, r.border_max_x, r.border_min_y, r.border_max_y = rect[0], rect[2], 1 - rect[3], 1 - rect[1]
    for seed in (1, 2):
        s.cycles.seed = seed
        s.render.filepath = f"{HERE}/tmp/{shot}-{seed}.exr"
        bpy.ops.render.render(write_still=True)
        halves.append(s.render.filepath)
    t_render, cpu = time.time() - t1, time.process_time() - c1
    t2 = time.time()
    import denoise
    exr = f"{HERE}/tmp/{shot}-dn.exr"
    denoise.run(halves, exr, **patch)
    t_dn = time.time() - t2
    img = bpy.data.images.load(exr)
    img.colorspace_settings.name = "Linear"
    s.render.image_settings.file_format = "PNG"
    s.render.image_settings.color_mode = "RGB"
    s.render.image_settings.color_depth = "8"
    s.render.dither_intensity = 1.0
    img.save_render(out, scene=s)
    rec = dict(shot=shot, size=size, spp=spp, build_s=round(build, 1), render_s=round(t_render, 1), render_cpu_s=round(cpu, 1),
               denoise_s=round(t_dn, 1))
    print("DONE", json.dumps(rec), flush=True)
    with open(f"{HERE}/tmp/times.jsonl", "a") as f:
        f.write(json.dumps(rec) + "\n")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("shots", nargs="+")
    ap.add_argument("--size", default="1200")
    ap.add_argument("--spp", type=int, default=96)
    ap.add_argument("--draft", action="store_true")
    a = ap.parse_args(sys.argv[sys.argv.index("--") + 1:])
    wh = [int(x) for x in a.size.split("x")]
    wh = wh if len(wh) == 2 else wh * 2
    for name in (SHOTS if a.shots == ["all"] else a.shots):
        render(name, wh, a.spp, a.draft)
