"""Product shots: the bowl and its accessories on studio paper."""
import json
import math
import os

import bpy
import scene as F

HERE = os.path.dirname(os.path.abspath(__file__))
V = F.Vector
PAPER = {"black": "#E9E8E6", "green": "#E9E7E1", "white": "#CFC9BF"}
SHADE = {"black": "#CFCDC9", "green": "#C9C6BC", "white": "#A19A8F"}


def hero(colour, model="pro", azimuth=0, elev=18, dist=7.35, rot=None):
    """Closed container, three-quarter from above, 80 % of the width; the paper darkens behind it."""
    p = F.product(colour, model, label=False)
    p.rotation_euler.z = math.radians(-13 if rot is None else rot)
    dark, white = colour == "black", colour == "white"
    F.studio(key=0.95 if white else 1.0, rim=2.6 if dark else 1.0, top=0.52 if dark else 0.78 if white else 0.95,
             paper=PAPER[colour], sweep=0.62 if white else 1.1 if dark else 0.95, front=0.75 if dark else 1.0, shade=SHADE[colour])
    t = (0, 0, 0.60)
    F.camera(F.orbit(t, dist, azimuth, elev), t, 85, 11, (0, -1.1, .75))


def front(colour, model="pro"):
    """Closed container straight from the front, a little above its rim."""
    hero(colour, model, elev=8, rot=0, dist=7.35)


def lid_detail(colour="green", model="pro"):
    """Cap and light ring from close by, with the lid's front edge and the gap below it in the lower third."""
    F.product(colour, model).rotation_euler.z = math.radians(-14)
    F.studio(key=1.05 if colour == "white" else 0.8, rim=2.2 if colour == "black" else 1.6,
             top=0.62 if colour == "white" else 0.42, front=0.5 if colour == "white" else 0.35,
             sweep=0.7, paper=PAPER[colour], fill=0.08, target=(0, 0, 1.2))
    t = (0.03, -0.42, F.LID_TOP - 0.04)
    F.camera(F.orbit(t, 4.6, -14, 30), t, 100, 13, (0.0, -0.35, F.LID_TOP))


def exploded(colour="green"):
    """On one axis: filter, lid, bowl cut in half, and under its cold plate what cools it."""
    peltier, sink, fan, base = F.cooling(colour)
    for ob, z in ((base, 0), (fan, .58), (sink, .92), (peltier, 1.30)):
        ob.location.z = z
    b = F.bowl(colour, half=True)
    b.location.z = 1.28
    l = F.lid(colour)
    l.location.z = 1.80
    c = F.cartridge(colour, label=False)
    c.location.z = F.LID_TOP - 0.17 + 2.22
    for ob in (peltier, sink, fan, base, c):
        ob.rotation_euler.z = math.radians(-16)
    F.studio(rim=1.1, top=0.8, paper=PAPER[colour], target=(0, 0, 1.7), front=1.3)
    t = (0, 0, 1.78)
    F.camera(F.orbit(t, 12.4, 0, 12), t, 85, 16, (0, -.3, 1.8))


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
    for ob in items:      # berries that came to rest where the leaves go
        if ob.name.startswith("blueberry") and ob.matrix_world.translation.y > .1:
            ob.hide_render = True
    for i, (a, ln, w, c) in enumerate([(75, .95, .85, 1.15), (120, 1.0, .8, 1.0), (160, .85, .75, 1.2), (28, .85, .75, 1.1),
                                       (100, .8, .8, 1.35)]):
        lf = F.leaf(ln, w, .085, c, seed=i + 3)
        lf.location = (.50 * math.cos(math.radians(a)), .50 * math.sin(math.radians(a)), .66)
        lf.rotation_euler = (math.radians(18), 0, math.radians(a - 90))
    return items


def loose_lid(colour, loc, turn=0.5, model="pro"):
    """The lid lying flat, cartridge in place."""
    l = F.group("lidset", [F.lid(colour, model)])
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


def open_produce(colour, model="pro"):
    """Bowl open and filled, lid lying behind right, on studio paper; one camera for all colours."""
    F.bowl(colour, model).rotation_euler.z = math.radians(-6)
    fill_bowl()
    loose_lid(colour, (1.62, 1.62), model=model)
    dark, white = colour == "black", colour == "white"
    F.studio(key=0.95 if white else 1.0, rim=2.0 if dark else 1.0, top=0.55 if dark else 0.7 if white else 0.8,
             paper=PAPER[colour], sweep=0.85 if white else 1.2, front=0.8 if dark else 0.95, target=(.3, .3, .6))
    t = (0.58, 0.3, 0.56)
    F.camera(F.orbit(t, 10.7, -5, 27), t, 85, 13, (0, -.6, 1.0))


def dock(colour="black"):
    """The bowl about to land on its dock: 2 cm above, nothing between them but a soft shadow."""
    F.dock().rotation_euler.z = math.radians(-112)
    p = F.product(colour, label=False)
    p.location.z, p.rotation_euler.z = .33, math.radians(-10)
    F.studio(key=1.0, rim=2.6, top=0.55, front=0.9, sweep=1.1, paper=PAPER[colour], target=(0, 0, .6), shade=SHADE[colour])
    t = (0, 0, 0.72)
    F.camera(F.orbit(t, 8.0, 0, 12), t, 85, 13, (0, -.9, .5))


def sleeve(colour="white"):
    """Bowl in the felt travel sleeve, the strap fallen to the right."""
    p = F.product(colour, label=False)
    F.travel_sleeve()
    p.rotation_euler.z = math.radians(-14)
    F.studio(key=0.95, rim=1.1, top=0.75, front=0.9, sweep=0.7, paper="#CFC9BF", target=(0, 0, .7), shade="#A39C90")
    t = (.30, 0, 0.62)
    F.camera(F.orbit(t, 9.0, 4, 22), t, 85, 11, (0, -1.1, .6))


def gaskets():
    """Two silicone gaskets on sage paper: one flat, the other lying half on it."""
    a, b = F.gasket_ring(bend=.006), F.gasket_ring(bend=.012, seed=2)
    a.location = (-.34, -.16, 0)
    b.location, b.rotation_euler = (.36, .30, .060), (math.radians(1.2), math.radians(3.1), 0)
    F.studio(key=1.1, rim=1.6, top=0.5, front=0.6, sweep=0.7, paper="#A9A892", fill=0.10, target=(0, 0, .05))
    t = (.02, .06, .02)
    F.camera(F.orbit(t, 8.3, 6, 38), t, 85, 13, (0, -.5, .05))


def foot_macro(colour="green"):
    """The turned aluminum foot on its felt pads, from table height."""
    F.bowl(colour).rotation_euler.z = math.radians(24)
    F.studio(key=1.0, rim=2.0, top=0.5, front=0.8, sweep=1.0, paper=PAPER[colour], target=(0, 0, .3), shade=SHADE[colour])
    F.softbox("low", (-2.6, -4.4, .9), (0, -.7, .1), (2.6, .7), 90)
    t = (-.22, -.66, .165)
    F.camera(F.orbit(t, 2.5, -12, 6), t, 100, 8, (-.2, -.72, .08))


def usb_back(colour="black", model="pro"):
    """Rear view with the USB-C port."""
    F.product(colour, model, label=False).rotation_euler.z = math.radians(180 - 20)
    F.studio(rim=2.2, top=.55, front=1.0, paper=PAPER[colour], sweep=1.15)
    t = (0, 0, 0.62)
    F.camera(F.orbit(t, 8.6, 0, 11), t, 85, 11, (-.3, -1.1, .45))


COLOURS = {"midnight-black": "black", "earth-green": "green", "frost-white": "white"}
SHOTS = {}
for _model in ("pro", "classic"):
    for _long, _c in COLOURS.items():
        for _shot, _build in (("hero", hero), ("front", front), ("open", open_produce), ("lid", lid_detail), ("back", usb_back)):
            SHOTS[f"{_model}-{_long}-{_shot}"] = lambda b=_build, c=_c, m=_model: b(c, model=m)
SHOTS.update({
    "pro-earth-green-exploded": exploded,
    "filter-2-pack": filters,
    "filter-6-pack": filters6,
    "charging-dock": dock,
    "travel-sleeve": sleeve,
    "gasket-set": gaskets,
    "macro-foot": foot_macro,
})

# Shots equal to a finished master outside one rectangle (x0, y0, x1, y1 from the top left): only that is rendered,
# and pasted over the master of that name when it is there.
PATCHES = {}
for _long in COLOURS:
    for _shot, _rect in (("hero", (0.33, 0.26, 0.66, 0.65)), ("front", (0.31, 0.25, 0.69, 0.62)), ("lid", (0.11, 0.18, 0.75, 0.58)),
                         ("open", (0.27, 0.35, 0.80, 0.69)), ("back", (0.31, 0.25, 0.69, 0.39))):
        PATCHES[f"classic-{_long}-{_shot}"] = (f"pro-{_long}-{_shot}", _rect)
