"""Scenes with surroundings: kitchen, desk, picnic, and the still lifes of the blog."""
import math

import bpy
import scene as F
import props as P
from shots import fill_bowl, loose_lid, scatter_berries

V = F.Vector


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


def put(ob, x, y, z=0.0, rot=(0, 0, 0)):
    """Stand an object somewhere."""
    ob.location, ob.rotation_euler = (x, y, z), rot
    return ob


def rest(ob, x, y, rot=(0, 0, 0), sink=0.006):
    """Lay an object on the table in that pose: its lowest point touches z = 0."""
    put(ob, x, y, 0, rot)
    bpy.context.view_layer.update()
    low = min((ob.matrix_world @ v.co).z for v in ob.data.vertices)
    ob.location.z = -low - sink
    return ob


def desk(colour="black"):
    """Lunch beside the laptop: filled bowl on a wooden desk, window from the left."""
    F.kitchen(counter="wood", wall_y=4.4)
    F.bowl(colour).rotation_euler.z = math.radians(-6)
    fill_bowl()
    loose_lid(colour, (-2.15, 1.15))
    put(P.laptop(), 2.35, 1.75, 0, (0, 0, math.radians(-24)))
    napkin = P.cloth(1.25, 2.3, P.linen_mat("#CFC7B4"), seed=3, fold=.02)
    put(napkin, -1.95, -.95, 0, (0, 0, math.radians(14)))
    put(P.chopsticks(), -2.22, .12, .035, (0, 0, math.radians(10)))
    put(P.notebook("#5B4A33"), 2.25, -1.05, 0, (0, 0, math.radians(10)))
    put(P.mug("#B9AE9B"), -1.05, 2.5, 0, (0, 0, math.radians(200)))
    t = (0.12, 0, 0.60)
    F.camera(F.orbit(t, 9.9, 4, 25), t, 62, 5.0, (0, -.8, 1.0))


def picnic(colour="white"):
    """Bowl in its sleeve on a checked blanket in the grass."""
    P.meadow()
    blanket = P.cloth(6.6, 6.6, P.linen_mat("#E4DED0", "#A9553F", .42), seed=5, fold=.055, n=220,
                      creases=((.5, -1.7, .07), (1.9, 1.35, .06), (.2, 1.9, .05)), flat=(0, .95, 1.1))
    put(blanket, 0, -.95, .05)
    base = .06
    p = F.product(colour, label=False)
    p.location.z, p.rotation_euler.z = base, math.radians(8)
    s = F.travel_sleeve()
    s.location.z, s.rotation_euler.z = base, math.radians(-20)
    board = F.rounded_box("board", (1.9, 1.25, .11), .05, F.wood_mat("X"))
    put(board, 1.75, -1.15, base + .11, (0, 0, math.radians(-16)))
    top = base + .165
    for ob, x, y, z, rot in ((F.tomato(.30, 4), 1.45, -1.05, .25, (.1, .1, 1)), (F.tomato(.27, 8), 2.02, -1.32, .22, (.25, -.1, 2)),
                             (F.citrus("lemon", .22, 2), 2.15, -.82, .21, (1.5, .2, .9))):
        put(ob, x, y, top + z, rot)
    put(P.apple(.34, 3), -1.75, -.62, base + .335, (.08, .14, .6))
    put(P.apple(.33, 7), -2.25, .15, base + .33, (-.1, .1, 2.4))
    put(P.pear(.30, 2), -1.28, -1.30, base + .30, (1.42, .1, 2.2))
    put(P.cloth(1.0, 1.0, P.linen_mat("#D9D3C4"), seed=8, fold=.06), 1.2, 1.55, base + .05, (0, 0, .5))
    t = (0.05, 0, 0.72)
    F.camera(F.orbit(t, 9.0, -6, 10.5), t, 62, 2.2, (0, -.9, .9))


def week(colour="white"):
    """After seven days: slack, brown produce in a dish, crisp produce in the bowl."""
    F.kitchen(counter="stone")
    b = F.bowl(colour)
    b.rotation_euler.z = math.radians(10)
    items = fill_bowl()
    stay = [o for o in bpy.context.scene.objects if o.parent is None and o.type == "MESH" and o.name.startswith("leaf")]
    rig = F.group("bowl set", [b] + items + stay)
    rig.location = (1.30, .15, 0)
    put(P.dish(1.12), -1.50, -.30)
    for seed, x, y, z, rot in ((1, -1.86, -.62, .295, (.3, .1, 1)), (2, -1.20, -.66, .29, (.1, -.3, 2)), (5, -1.42, .02, .295, (-.2, .1, .5))):
        put(P.old_tomato(.32, seed), x, y, z, rot)
    put(P.apple(.33, 4, aged=True), -2.02, .06, .38, (.3, -.3, 1.5))
    for seed, x, y, z, rot in ((3, -.95, .62, .34, (math.pi - .10, .1, .35)), (6, -1.75, .72, .36, (math.pi - .16, -.1, -.2)),
                               (9, -.62, .10, .32, (math.pi - .12, .15, 1.2))):
        put(P.old_leaf(seed, .85), x, y, z, rot)
    F.props()
    t = (0.0, 0, 0.62)
    F.camera(F.orbit(t, 9.6, 0, 22), t, 62, 4.5, (0, -.7, .7))


def filter_change(colour="white"):
    """A new filter leans on the used one, the lid's well stands open."""
    F.kitchen(counter="wood")
    p = F.group("open well", [F.bowl(colour), F.lid(colour)])
    p.location, p.rotation_euler = (.45, .35, 0), (0, 0, math.radians(12))
    used = F.cartridge(colour)
    put(used, -1.35, -.80, 0, (0, 0, .5))
    new = F.cartridge(colour)
    th, tu, r = math.radians(66), math.radians(20), F.CART_R
    zc = r * math.sin(th)
    s = r + (.17 - zc) / math.tan(th) + .002
    q = V((-1.35, -.80, 0)) - V((-math.sin(tu), math.cos(tu), 0)) * s - V((math.cos(tu), math.sin(tu), 0)) * -.16
    put(new, q.x, q.y, zc + .001, (th, 0, tu))
    F.props()
    t = (-.25, 0, 0.55)
    F.camera(F.orbit(t, 7.6, -2, 30), t, 62, 5.0, (-.4, -.6, .6))


def ethylene(_=None):
    """One apple close to lettuce whose nearest leaves have yellowed."""
    F.kitchen(counter="stone")
    rest(P.apple(.42, 2), -.72, -.35, (.06, -.10, .4))
    half = F.leaf_mat(dark="#8A8A26", light="#BDB044", rib="#D8CE94")
    for seed, x, y, rot, mat, ln, curl in ((2, .42, .30, (.30, 0, -.75), None, 1.15, .9), (5, .80, .60, (.45, 0, .35), None, 1.2, 1.1),
                                           (8, .25, .62, (.55, 0, .1), None, 1.25, 1.2), (4, .16, .02, (.42, 0, .62), half, .86, .85),
                                           (11, .95, -.62, (.05, -.35, -1.25), None, .95, .45)):
        rest(F.leaf(ln, ln * .85, .055 if mat else .08, curl, seed=seed, mat=mat), x, y, rot, .025)
    rest(P.pear(.33, 1), -1.62, .62, (0, .05, .8))
    rest(P.apple(.38, 6), -1.25, 1.25, (.1, .1, 2))
    put(F.avocado(.29, 2), 1.75, .95, .27, (1.42, .1, 1.0))
    t = (-.05, 0, .40)
    F.camera(F.orbit(t, 6.6, -8, 20), t, 72, 4.0, (-.5, -.45, .45))


def flat_lay(colour="green"):
    """From straight above: the closed bowl, and the week's shopping sorted in rows beside it."""
    F.kitchen(counter="stone", wall_y=3.4)
    p = F.product(colour, label=False)
    p.location, p.rotation_euler.z = (1.72, .05, 0), math.radians(10)
    R = F.random.Random(3)
    rows = (
        ([lambda i: F.tomato(.29, i)] * 3, 1.22, .76, "tomato"),
        ([lambda i: F.citrus("lemon", .22, i)] * 4, .56, .60, "citrus"),
        ([lambda i: F.citrus("lime", .20, i)] * 4, .02, .56, "citrus"),
        ([lambda i: F.avocado(.25, i)] * 3, -.64, .78, "citrus"),
    )
    for makers, y, gap, kind in rows:
        n = len(makers)
        for i, make in enumerate(makers):
            x = -1.42 + (i - (n - 1) / 2) * gap + R.uniform(-.03, .03)
            rot = (R.uniform(-.1, .1), R.uniform(-.1, .1), R.uniform(0, 6)) if kind == "tomato" else (1.54, 0, R.uniform(-.35, .35))
            rest(make(i + 3), x, y + R.uniform(-.03, .03), rot)
    for i in range(22):
        put(F.blueberry(R.uniform(.062, .080), i), -2.48 + (i % 11) * .205 + R.uniform(-.02, .02), -1.28 - (i // 11) * .19 + R.uniform(-.02, .02),
            .066, (R.uniform(-.5, .5), R.uniform(-.5, .5), 0))
    for seed, x, y, rz in ((3, -2.95, .35, .25), (6, -2.98, -.62, -.1), (9, .12, 1.0, -2.9), (4, .18, -.35, -.3)):
        put(F.leaf(.95, .72, .07, .35, seed=seed), x, y, .05, (.06, 0, rz))
    for i in range(6):
        put(F.raspberry(.092, i % 4), .02 + (i % 3) * .21, -1.22 - (i // 3) * .21, .082, (1.45, 0, 1.1 * i))
    t = (-.35, 0, 0)
    cam = F.camera((-.35, -.02, 9.6), t, 60)
    cam.rotation_euler = (0, 0, 0)


def third(_=None):
    """Nine apples on sage paper; three of them will not be eaten."""
    gone = {2, 4, 6}
    for i in range(9):
        c, r = i % 3, i // 3
        x, y = (c - 1) * 1.02 + (r - 1) * .04, (r - 1) * 1.06
        rest(P.apple(.385, i + 1, aged=i in gone), x, y, (.08 * math.sin(i * 2.1), .08 * math.cos(i * 1.7), i * 1.9))
    F.studio(key=1.0, rim=1.0, top=.7, front=.8, sweep=.75, paper="#A9A892", target=(0, 0, .3))
    t = (0, 0, .28)
    F.camera(F.orbit(t, 9.2, -10, 40), t, 85, 11, (0, -.5, .4))


def colours_row(_=None):
    """The three colours side by side, the middle one open and filled; calm all around."""
    for c, x, rot in (("white", -2.75, 12), ("black", 2.75, -16)):
        p = F.product(c, label=False)
        put(p, x, .35, 0, (0, 0, math.radians(rot)))
    F.bowl("green").rotation_euler.z = math.radians(-4)
    fill_bowl()
    F.studio(key=1.15, rim=1.5, top=.8, front=1.0, sweep=1.05, paper="#DAD8D2", target=(0, 0, .6))
    for ob in bpy.context.scene.objects:
        if ob.type == "LIGHT" and ob.name == "key":
            ob.location.x -= 2.2
            ob.data.energy *= 1.5
        if ob.type == "LIGHT" and ob.name == "rim":
            ob.location.x += 2.0
            ob.data.energy *= 1.5
    t = (0, .2, .62)
    F.camera(F.orbit(t, 22.4, 0, 13), t, 85, 16, (0, -1.0, .75))


SHOTS = {
    "lifestyle-counter": lifestyle,
    "lifestyle-breakfast": breakfast,
    "lifestyle-desk": desk,
    "lifestyle-picnic": picnic,
    "lifestyle-week": week,
    "lifestyle-filter": filter_change,
    "blog-ethylene": ethylene,
    "blog-habits": flat_lay,
    "blog-third": third,
    "banner": banner,
    "banner-colors": colours_row,
}

SIZES = {name: (2400, 1000) if name.startswith("banner") else (1600, 1067) for name in SHOTS if name != "lifestyle-breakfast"}
