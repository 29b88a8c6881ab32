"""Product shots: the bowl and its accessories on studio paper."""
import math

import bpy
import produce as G
import scene as F

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


def heap(take, r, n, wall, floor, top, seed=1, tries=16, turn=1.6, centre=(0, 0)):
    """Let n items of about radius r fall one by one where they come to lie lowest; wall, floor and top bound the heap."""
    R, placed, obs = F.random.Random(seed), [], []
    for _ in range(n):
        rr, best = r * R.uniform(.88, 1.08), None
        for _ in range(tries):
            a, d = R.uniform(0, 6.2832), math.sqrt(R.random())
            x, y = d * math.cos(a) * (wall(9) - rr), d * math.sin(a) * (wall(9) - rr)
            z = floor(math.hypot(x, y)) + rr
            for q, s in placed:
                h = (rr + s) ** 2 * .86 - (q.x - x) ** 2 - (q.y - y) ** 2
                if h > 0:
                    z = max(z, q.z + math.sqrt(h))
            if math.hypot(x, y) + rr < wall(z) and z < top(math.hypot(x, y)) and (best is None or z < best.z):
                best = V((x, y, z))
        if best is None:
            continue
        placed.append((best, rr))
        ob = take()
        ob.location, ob.scale = best + V((*centre, 0)), (rr / r,) * 3
        ob.rotation_euler = (R.uniform(-turn, turn), R.uniform(-turn, turn), R.uniform(0, 6.28))
        obs.append(ob)
    return obs


def inside(z):
    """Radius of the bowl's liner at height z."""
    return min(F.wall_radius(max(z, F.FLOOR_Z)) - .11, 1.09)


def fill_black():
    """Green grapes, figs and butter lettuce."""
    for x, y, r, s in ((-.46, .42, .60, 3), (.36, .56, .52, 8)):
        h = G.lettuce(r, s)
        h.location, h.rotation_euler = (x, y, .66), (.28, -.16 if x < 0 else .2, s)
    for x, y, z, rz, ry, n, s in ((.34, -.40, .80, .5, .10, 64, 1), (.52, .02, .88, 1.5, -.05, 52, 2), (-.02, -.10, .78, 2.3, .1, 50, 5)):
        g = G.grapes("green", n, seed=s)
        g.location, g.rotation_euler = (x, y, z), (0, ry, rz)
    for i, (x, y, z, rot) in enumerate(((-.62, -.34, .96, (1.2, .2, .4)), (-.30, -.62, .93, (1.35, -.2, 2.4)), (-.34, -.28, 1.04, (.5, .3, 1.2)),
                                        (-.80, .02, .98, (1.0, .6, 4.0)), (-.05, -.84, .90, (1.4, .1, 5.2)))):
        f = G.fig(.205, i)
        f.location, f.rotation_euler = (x, y, z), rot


def fill_green():
    """Berries in front, carrots with their tops behind."""
    for i, (x, y, z, ry, rz) in enumerate(((.52, .18, .92, 1.50, .12), (.60, .46, .98, 1.42, .28), (.44, .72, .96, 1.46, .50), (.30, .34, 1.12, 1.36, .30),
                                           (.46, .60, 1.16, 1.40, .42))):
        c = G.carrot(1.10 - .05 * (i % 3), .125, i, .80)
        c.rotation_mode = "XYZ"
        c.location, c.rotation_euler = (x, y, z), (.2 * i, ry, rz)
    berry, straw, rasp = G.kinds(lambda i: F.blueberry(.072, i), 8), G.kinds(lambda i: G.strawberry(i, .31), 6), G.kinds(lambda i: F.raspberry(.098, i), 6)

    def below(d):
        return .66 if d < .9 else .74
    obs = heap(straw, .128, 44, inside, below, lambda d: 1.08 - .14 * d * d, 3, turn=2.4)
    obs += heap(rasp, .096, 40, inside, lambda d: .90 - .05 * d, lambda d: 1.16 - .16 * d * d, 5)
    for ob in obs[:]:
        if ob.location.y > .30:
            ob.hide_render = True
    spots = [ob.location.copy() for ob in obs if not ob.hide_render]
    R = F.random.Random(9)
    placed = []
    for _ in range(2600):
        a, d = R.uniform(0, 6.28), 1.0 * math.sqrt(R.random())
        q = V((d * math.cos(a), d * math.sin(a), R.uniform(.84, 1.10) - .12 * d * d))
        if q.y < .34 and d < inside(q.z) - .07 and all((q - o).length > .150 for o in spots) and all((q - o).length > .122 for o in placed):
            placed.append(q)
            b = berry()
            b.location, b.rotation_euler = q, (R.uniform(-1, 1), R.uniform(-1, 1), 0)


def fill_white():
    """Tomatoes and basil, at 50 F."""
    spots = ((-.46, -.36, .86, .36), (.16, -.56, .84, .34), (.62, -.18, .86, .35), (.02, .02, 1.00, .36), (-.66, .22, .88, .33), (.52, .46, .90, .34),
             (-.10, .58, .92, .33), (.34, -.12, 1.14, .27), (-.30, .30, 1.18, .28))
    for i, (x, y, z, r) in enumerate(spots):
        t = F.tomato(r, i + 1)
        t.location, t.rotation_euler = (x, y, z), (.3 * math.sin(i * 2.3) - .25 * y, .3 * math.cos(i * 1.7) + .25 * x, i * 1.3)
        G.drops(t, 16, i, (.006, .017), .15)
    for i, (x, y, z, tilt, a) in enumerate(((-.62, .62, .86, .35, 2.2), (-.20, .86, .90, .30, 1.7), (.20, .82, .92, .32, 1.2), (-.88, .28, .90, .55, 2.8), (.62, .72, .90, .45, .7),
                                            (.05, .46, 1.05, .25, 1.5))):
        b = G.basil(i + 2, .46, 4)
        b.rotation_mode = "XYZ"
        b.location, b.rotation_euler = (x, y, z), (-tilt * math.sin(a), tilt * math.cos(a), i * 1.1)


FILLING = {"black": fill_black, "green": fill_green, "white": fill_white}


def leaning_lid(colour, model, toward=-24, tilt=42):
    """The lid upside down against the bowl's rim, so that gasket and filter show; toward is where its underside looks."""
    l = F.group("lidset", [F.lid(colour, model, ring=0)])
    c = F.cartridge(colour, label=False)
    c.location.z, c.parent = F.LID_TOP - .168, l
    f, th = math.radians(toward), math.radians(tilt)
    out = V((math.cos(f), math.sin(f), 0))
    n = out * math.sin(th) + V((0, 0, math.cos(th)))
    d = V((0, 0, math.sin(th))) - out * math.cos(th)
    rot = F.Matrix((d.cross(-n), d, -n)).transposed()
    body = next(ob for ob in l.children_recursive if ob.type == "MESH" and ob.name.startswith("lid"))
    shell = [rot @ v.co for v in body.data.vertices]
    low = min(p.z for p in shell)
    s = 4.0
    while s > 1 and all(math.hypot(*(p + out * s).xy) > F.R + .002 or p.z - low > F.RIM_Z for p in shell):
        s -= .01
    l.matrix_world = F.Matrix.Translation(out * (s + .01) + V((0, 0, -low))) @ rot.to_4x4()
    return l


def open_produce(colour, model="pro"):
    """Bowl open and full, each color with its own food; the lid leans on its rim. One camera for all colors."""
    F.bowl(colour, model, text="50oF" if colour == "white" else "37oF").rotation_euler.z = math.radians(-8)
    FILLING[colour]()
    leaning_lid(colour, model)
    dark, white = colour == "black", colour == "white"
    F.studio(key=0.95 if white else 1.0, rim=2.0 if dark else 1.0, top=0.55 if dark else 0.7 if white else 0.8,
             paper=PAPER[colour], sweep=0.7 if white else 1.1, front=0.8 if dark else 0.95, target=(.3, .3, .6), shade=SHADE[colour])
    t = (0.66, 0.0, 0.60)
    F.camera(F.orbit(t, 10.2, -2, 27), t, 85, 13, (0, -.6, 1.0))


def dock(colour="black"):
    """The bowl about to land on its dock: 2 cm above, nothing between them but a soft shadow."""
    F.dock().rotation_euler.z = math.radians(-112)
    p = F.product(colour, label=False)
    p.location.z, p.rotation_euler.z = .33, math.radians(-10)
    F.studio(key=1.0, rim=2.6, top=0.55, front=0.9, sweep=1.1, paper=PAPER[colour], target=(0, 0, .6), shade=SHADE[colour])
    t = (0, 0, 0.72)
    F.camera(F.orbit(t, 8.0, 0, 12), t, 85, 13, (0, -.9, .5))


def sleeve(colour="white"):
    """Bowl in the felt travel sleeve, the strap standing over its lid."""
    p = F.product(colour, label=False)
    F.travel_sleeve().rotation_euler.z = math.radians(4)
    p.rotation_euler.z = math.radians(-14)
    F.studio(key=0.95, rim=1.1, top=0.75, front=0.9, sweep=0.7, paper="#CFC9BF", target=(0, 0, .7), shade="#A39C90")
    t = (0, 0, 0.74)
    F.camera(F.orbit(t, 8.6, 4, 20), t, 85, 11, (0, -1.1, .6))


def produce_basket():
    """The wire basket, full of strawberries."""
    F.basket()
    straw = G.kinds(lambda i: G.strawberry(i, .32), 7)

    def wall(z):
        return min(.62 + .37 * max(0, (z - .03) / .57) ** .62, .99) - .02
    heap(straw, .132, 150, wall, lambda d: .04, lambda d: .82 - .20 * d * d, 4, 20, 2.4)
    F.studio(key=0.95, rim=1.4, top=0.75, front=0.9, sweep=0.75, paper=PAPER["white"], target=(0, 0, .4), shade=SHADE["white"])
    t = (0, 0, 0.40)
    F.camera(F.orbit(t, 6.9, 12, 27), t, 85, 11, (0, -.8, .4))


def gaskets():
    """Two silicone gaskets on sage paper: one flat, the other lying half on it."""
    a, b = F.gasket_ring(bend=.006), F.gasket_ring(bend=.012, seed=2)
    a.location = (-.34, -.16, 0)
    b.location, b.rotation_euler = (.36, .30, .060), (math.radians(1.2), math.radians(3.1), 0)
    F.studio(key=1.1, rim=1.6, top=0.5, front=0.6, sweep=0.7, paper="#A9A892", fill=0.10, target=(0, 0, .05))
    t = (.02, .06, .02)
    F.camera(F.orbit(t, 8.3, 6, 38), t, 85, 13, (0, -.5, .05))


def beads_macro():
    """The beads of a new filter in its opened cage."""
    R, spots = F.random.Random(4), []
    for k in range(3):
        for i in range(-12, 13):
            for j in range(-14, 15):
                x, y = (i + .5 * (j % 2) + .5 * (k % 2)) * .041, (j + .33 * k) * .0355
                if math.hypot(x, y) < .345:
                    spots.append((x + R.uniform(-.008, .008), y + R.uniform(-.008, .008), .07 + .030 * k + R.uniform(-.010, .014)))
    F.bead_cloud(spots, .0225, rows=14, seg=22)
    m = F.powder_coat(F.COLOURS["white"]["cap"], .4, .6)
    F.lathe("cage", F.fillet([(0, 0), (.395, 0, .008), (.395, .135, .008), (.368, .135, .006), (.365, .04), (0, .04)]), m, seg=200)
    F.studio(key=1.0, rim=1.8, top=.5, front=.6, sweep=.7, paper="#A9A892", target=(0, 0, .1))
    t = (.02, -.03, .11)
    F.camera(F.orbit(t, 1.72, -8, 36), t, 100, 8, (.0, -.12, .13))


def filter_step(step):
    """Changing the filter in three frames of one camera: twist out, used beside new, click in."""
    F.bowl("white").rotation_euler.z = math.radians(-10)
    F.lid("white", ring=6.0 if step == "click" else 0)
    seat = F.LID_TOP - .168
    if step == "used":
        for x, used in ((-.46, True), (.47, False)):
            c = F.cartridge("white", label=False, used=used)
            slope = .128 * 2 * .28 / .7
            c.location, c.rotation_euler = (x, -.60, F.LID_TOP - .035 + .175), (math.pi + .07, (-.05 if x > 0 else .05), 0)
    else:
        c = F.cartridge("white", used=step == "twist")
        up = .20 if step == "twist" else .002
        c.location = (0, 0, seat + up)
        c.rotation_euler = (math.radians(-5 if up > .1 else 0), math.radians(3 if up > .1 else 0), math.radians(-34 if up > .1 else 0))
    F.studio(key=0.95, rim=1.2, top=0.62, front=0.75, sweep=0.6, paper=PAPER["white"], target=(0, 0, 1.1), shade=SHADE["white"])
    t = (0, -.18, F.LID_TOP - .06)
    F.camera(F.orbit(t, 6.3, 0, 34), t, 100, 13, (0, -.4, F.LID_TOP))


def pair(colour="green"):
    """Pro and Classic side by side, in true proportion."""
    for model, x, turn in (("pro", -1.28, 10), ("classic", 1.28, -10)):
        p = F.product(colour, model, label=False)
        p.location, p.scale, p.rotation_euler.z = (x, 0, 0), (F.SIZE[model],) * 3, math.radians(turn)
    dark, white = colour == "black", colour == "white"
    F.studio(key=1.08 if white else 1.15, rim=2.6 if dark else 1.2, top=0.52 if dark else 0.75 if white else 0.9, paper=PAPER[colour],
             sweep=0.62 if white else 1.1 if dark else 0.95, front=0.75 if dark else 1.0, shade=SHADE[colour])
    for ob in bpy.context.scene.objects:
        if ob.type == "LIGHT" and ob.name in ("key", "rim"):
            ob.location.x *= 1.35
            ob.data.energy *= 1.6
    t = (0, 0, 0.60)
    F.camera(F.orbit(t, 14.4, 0, 14), t, 85, 11, (0, -1.1, .75))


def kraft_mat():
    """Molded paper pulp."""
    m = F.Mat("kraft")
    n = m.math("ADD", m.noise(30, 5, .7), m.math("MULTIPLY", m.noise(120, 3, .8), .5))
    m.set(Base_Color=m.ramp(m.noise(60, 4, .8), [(.35, "#7E6245"), (.65, "#A08260")]), Roughness=.95, Specular=.1, Normal=m.bump(n, .35, .012))
    return m.m


def start_card():
    """The printed card: the wordmark, and three drawings of what to do first."""
    ink = F.plastic("#3E4A30", .8, .2)
    parts = [F.rounded_box("card", (1.0, .70, .010), .004, F.plastic("#E4DECE", .85, .2))]

    def stroke(*points, width=.009):
        for (x0, y0), (x1, y1) in zip(points, points[1:]):
            line = F.rounded_box("line", (math.hypot(x1 - x0, y1 - y0) + width, width, .002), .0005, ink, 1)
            line.location, line.rotation_euler.z = ((x0 + x1) / 2, (y0 + y1) / 2, .006), math.atan2(y1 - y0, x1 - x0)
            parts.append(line)

    def arc(x, y, r, a0, a1, n=20):
        return [(x + r * math.cos(math.radians(a0 + (a1 - a0) * k / n)), y + r * math.sin(math.radians(a0 + (a1 - a0) * k / n))) for k in range(n + 1)]
    word = bpy.data.curves.new("word", "FONT")
    word.body, word.size, word.extrude, word.font = "Polara", .17, .0006, F.load_font("Inter:semibold") or word.font
    word.align_x = word.align_y = "CENTER"
    text = bpy.data.objects.new("word", word)
    word.materials.append(ink)
    bpy.context.collection.objects.link(text)
    text.location = (0, .19, .006)
    parts.append(text)
    for x in (-.29, 0, .29):
        stroke(*arc(x, -.08, .095, 180, 360), (x - .095, -.08))
    stroke((-.29, .04), (-.29, -.05)), stroke((-.32, -.02), (-.29, -.055), (-.26, -.02))
    stroke((0 - .095, -.045), *arc(0, -.085, .103, 157, 23), (.095, -.045))
    stroke((.26, -.13), (.28, -.13)), stroke((.30, -.13), (.32, -.13)), stroke((.31, -.12), (.31, -.14))
    stroke((.195, -.045), *arc(.29, -.085, .103, 157, 23), (.385, -.045))
    stroke((-.32, -.25), (.32, -.25), width=.006)
    return F.group("start card", parts, rot=(0, 0, math.radians(12)))


def in_the_box(colour="green"):
    """Everything that comes, in its tray of paper pulp, from above."""
    pulp = kraft_mat()
    w, d, h = 5.7, 4.0, .62
    tray = F.rounded_box("tray", (w, d, h), .10, pulp, 5)
    tray.location.z = h / 2
    F.apply_modifiers(tray)
    spots = ((-1.35, .0, 1.27, 0), (1.42, .50, 1.25, .48))
    cutters = []
    for x, y, a, z in spots:
        c = F.lathe("cut", F.fillet([(0, z + .06), (a, z + .06, .06), (a + .05, 3), (0, 3)]), pulp, seg=120)
        c.location = (x, y, 0)
        cutters.append(c)
    for x, y, bw, bd in ((1.04, -1.28, .92, .86), (1.94, -1.28, .52, .86)):
        c = F.rounded_box("cut", (bw, bd, 2), .10, pulp, 5)
        c.location = (x, y, 1.30)
        F.apply_modifiers(c)
        cutters.append(c)
    for c in cutters:
        mod = tray.modifiers.new("cut", "BOOLEAN")
        mod.object, mod.operation, mod.solver = c, "DIFFERENCE", "EXACT"
    bev = tray.modifiers.new("soft", "BEVEL")
    bev.width, bev.segments, bev.limit_method, bev.angle_limit = .03, 3, "ANGLE", math.radians(40)
    F.apply_modifiers(tray)
    for p in tray.data.polygons:
        p.use_smooth = True
    tray.data.use_auto_smooth, tray.data.auto_smooth_angle = True, math.radians(35)
    for c in cutters:
        bpy.data.objects.remove(c)
    b = F.bowl(colour)
    b.location, b.rotation_euler.z = (-1.35, 0, .06), math.radians(18)
    l = F.lid(colour, ring=0)
    l.location = (1.42, .50, .54 - F.LID_Z + .08)
    c = F.cartridge(colour, label=False)
    c.location.z, c.parent = F.LID_TOP - .168, l
    cord = [((.26 + .02 * math.sin(k * .9)) * math.cos(k * .45), (.25 + .02 * math.cos(k * .7)) * math.sin(k * .45), .34 + .0035 * k) for k in range(58)]
    cord = [(-.137, -.248, .56), (-.05, -.30, .50), (.10, -.29, .42), (.23, -.17, .36)] + cord + [(.245, .18, .55), (.228, .239, .56)]
    soft = F.silicone("#D9D5CB")
    cable = [F.tube("cable", cord, .020, soft)]
    for x, y, rz in ((.20, .33, .3), (-.16, -.34, 2.9)):
        plug = F.rounded_box("plug", (.085, .19, .055), .022, F.plastic("#E2DED4", .4))
        shell = F.rounded_box("usb", (.062, .07, .024), .010, F.steel("#B5B5B2", .3, False))
        plug.location = (0, 0, 0)
        shell.location = (0, .125, 0)
        cable.append(F.group("end", [plug, shell], (x, y, .56), (0, 0, rz)))
    band = F.rounded_box("band", (.10, .22, .16), .03, F.cotton_mat())
    band.location = (.26, -.02, .42)
    F.group("cable set", cable + [band], (1.04, -1.28, 0))
    brick = F.rounded_box("adapter", (.40, .40, .30), .05, F.plastic("#E6E3DB", .35), 6)
    brick.location = (1.94, -1.30, .48)
    for x in (-.06, .06):
        prong = F.rounded_box("prong", (.018, .17, .065), .006, F.steel("#C6C6C2", .25, False))
        prong.location = (1.94 + x, -1.02, .50)
    start_card().location = (-1.30, -.05, F.FLOOR_Z + .09)
    F.studio(key=1.15, rim=.8, top=.7, front=.7, sweep=.6, paper="#C9C4B8", target=(0, 0, .3), fill=.2)
    cam = F.camera((.02, -.02, 12.8), (.02, 0, 0), 70)
    cam.rotation_euler = (0, 0, 0)


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
    "produce-basket": produce_basket,
    "macro-beads": beads_macro,
    **{f"filter-{step}": lambda s=step: filter_step(s) for step in ("twist", "used", "click")},
    "pro-and-classic": pair,
    "in-the-box": in_the_box,
})

# Shots equal to a finished master outside one rectangle (x0, y0, x1, y1 from the top left): only that is rendered,
# and pasted over the master of that name when it is there.
PATCHES = {}
for _long in COLOURS:
    for _shot, _rect in (("hero", (0.26, 0.23, 0.70, 0.65)), ("front", (0.31, 0.25, 0.69, 0.62)), ("lid", (0.11, 0.18, 0.75, 0.58)),
                         ("open", (0.185, 0.55, 0.46, 0.668)), ("back", (0.31, 0.25, 0.69, 0.39))):
        PATCHES[f"classic-{_long}-{_shot}"] = (f"pro-{_long}-{_shot}", _rect, False)

for _long, _c in COLOURS.items():
    if _c != "green":
        SHOTS[f"pro-and-classic-{_long}"] = lambda c=_c: pair(c)
        SHOTS[f"in-the-box-{_long}"] = lambda c=_c: in_the_box(c)
        PATCHES[f"in-the-box-{_long}"] = ("in-the-box", (.06, .04, .94, .83), True)
        if _c == "black":      # white stands on darker paper
            PATCHES[f"pro-and-classic-{_long}"] = ("pro-and-classic", (.06, .27, .92, .72), True)

SIZES = {name: (1600, 1067) for name in SHOTS
         if name in ("filter-twist", "filter-used", "filter-click", "macro-beads") or name.startswith(("in-the-box", "pro-and-classic"))}
