"""Scenes with surroundings: kitchen, desk, picnic, and the still lifes of the blog."""
import math

import bpy
import scene as F
import produce as G
import props as P
from shots import COLOURS, fill_green, loose_lid, scatter_berries

V = F.Vector


def lifestyle(colour="green"):
    """Carrots, broccoli and lettuce in the bowl on a kitchen counter, figs beside it."""
    room(3.1)
    morning(aim=(-.2, .4, .5), turn=-.12)
    F.bowl(colour).rotation_euler.z = math.radians(-12)
    G.mound(.62, .88)
    put(G.lettuce(.54, 8, 40), -.34, .22, .84, (.24, -.14, 2))
    put(G.broccoli(.33, 2), .30, -.50, .84, (.45, .05, 0))
    put(G.broccoli(.28, 6), -.22, -.70, .86, (.50, -.10, 2))
    put(G.broccoli(.24, 9), -.66, -.50, .88, (.45, -.35, 1))
    put(G.grapes("red", 40, (.36, .22, .18), .078, 5), .38, .34, 1.0, (-.1, 0, 2.4))
    for i, (x, y, z, tilt, turn) in enumerate(((.72, .02, 1.20, 1.02, .22), (.80, -.22, 1.16, 1.10, -.06), (.66, -.14, 1.32, .95, .10), (.78, .22, 1.14, 1.12, .5))):
        put(G.carrot(.95, .100, i, .80), x, y, z, (0, tilt, turn))
    loose_lid(colour, (-2.2, 1.05))
    for i, (x, y, rz) in enumerate(((1.42, -.92, 0), (1.74, -.62, 2), (1.28, -.55, 4))):
        rest(G.fig(.18, i), x, y, (.15 + (1.2 if i == 1 else 0), .1, rz))
    put(P.napkin(1.0, 1.5, P.linen_mat("#B9B49F"), 4), -1.75, -.75, 0, (0, 0, 1.2))
    rest(G.carrot(1.0, .11, 5, .7), -1.15, -1.10, (1.57, 0, 1.35)).location.z += .06
    F.props(3.1)
    t = (.05, 0, .70)
    F.camera(F.orbit(t, 8.8, -4, 19), t, 62, 4.0, (0, -.8, 1.0))


def breakfast(colour="white"):
    """Berries in the white bowl beside a small plate, morning light."""
    F.kitchen(counter="wood")
    F.bowl(colour).rotation_euler.z = math.radians(10)
    F.lathe("mound", [(0, 1.0), (.5, .95), (.95, .80), (1.05, .76)], F.plastic("#14101C", 0.9)).visible_glossy = False
    R, placed, kinds = F.random.Random(5), [], {}
    for _ in range(16000):          # dart throwing over the mound, then a few on top
        a, d = R.uniform(0, 6.2832), 1.02 * math.sqrt(R.random())
        rasp = math.sin(2 * a + 1.2) + .6 * math.sin(5 * d + a) > .25
        r = .084 if rasp else R.uniform(.050, .070)
        z = 1.0 - .21 * d * d + r * .45 + (.10 if len(placed) > 380 else 0)
        p = V((d * math.cos(a), d * math.sin(a), z))
        if d + r < 1.09 and all((p - q).length > (r + s) * .90 for q, s in placed):
            placed.append((p, r))
            key = (rasp, len(placed) % 8)
            if key not in kinds:
                kinds[key] = F.raspberry(.084, key[1]) if rasp else F.blueberry(.062, key[1])
                ob = kinds[key]
            else:
                ob = bpy.data.objects.new("berry", kinds[key].data)
                bpy.context.collection.objects.link(ob)
            ob.location, ob.scale = p, (r / (.084 if rasp else .062),) * 3
            ob.rotation_euler = (R.uniform(-1.6, 1.6), R.uniform(-1.6, 1.6), R.uniform(0, 6)) if rasp else (R.uniform(-1, 1), R.uniform(-1, 1), 0)
        if len(placed) >= 440:
            break
    loose_lid(colour, (-2.1, 1.0))
    scatter_berries(8, (1.55, -.95), .34)
    for i, (x, y) in enumerate([(1.25, -1.30), (-1.25, -1.15), (-1.48, -.98)]):
        ob = F.raspberry(.084, i)
        ob.location, ob.rotation_euler = (x, y, .073), (1.45, 0, 2.1 * i + .4)
    F.props()
    t = (0.05, 0, 0.66)
    F.camera(F.orbit(t, 8.8, 5, 24), t, 66, 4.0, (0, -.8, 1.0))


def morning(strength=1.0, aim=(.2, 1.2, .3), bars=True, turn=0.0, elevation=25, warm=(1, .86, .68)):
    """Window at the left at nine: soft sky, and a sun that a muntin breaks into panes."""
    F.softbox("sky", (-5.6, -.6, 3.4), (.4, .2, .5), (3.4, 4.4), 760 * strength, (.90, .955, 1), edge=.3)
    F.world_fill("#EFEFEC", .46 * strength)
    li = bpy.data.lights.new("sun", "SUN")
    li.energy, li.angle, li.color = 6.6 * strength, math.radians(.9), warm
    sun = bpy.data.objects.new("sun", li)
    bpy.context.collection.objects.link(sun)
    e = math.radians(elevation)
    d = F.Matrix.Rotation(turn, 3, "Z") @ V((math.cos(e) * .94, math.cos(e) * .34, -math.sin(e)))
    q = d.to_track_quat("-Z", "Y")
    sun.rotation_euler = q.to_euler()
    if not bars:
        return
    m, c = F.plastic("#202020", .9), V(aim) - d.normalized() * 7
    q = F.Matrix(((d.cross(V((0, 0, 1))).normalized()), (d.cross(V((0, 0, 1))).normalized().cross(d).normalized()), -d)).transposed().to_quaternion()
    cols, rows, bar, w, h = 3, 3, .10, .98, 1.0
    slabs = [(bar, 9, (i - cols / 2) * w, 0) for i in range(1, cols)] + [(9, bar, 0, (i - rows / 2) * h) for i in range(1, rows)]
    slabs += [(9, 14, s * (cols * w / 2 + 4.5), 0) for s in (-1, 1)] + [(20, 9, 0, s * (rows * h / 2 + 4.5)) for s in (-1, 1)]
    for w, h, x, y in slabs:
        ob = new_plane(w, h, m)
        ob.rotation_euler, ob.location = q.to_euler(), c + q @ V((x, y, 0))
        ob.visible_camera = ob.visible_glossy = ob.visible_diffuse = False


def new_plane(w, h, mat):
    """Flat rectangle in XY."""
    return F.new_object("plane", [(-w / 2, -h / 2, 0), (w / 2, -h / 2, 0), (w / 2, h / 2, 0), (-w / 2, h / 2, 0)], [(0, 1, 2, 3)], mat, smooth=False)


def room(wall_y=2.7, counter="stone", wall="#D9D3C8"):
    """Counter of usual depth before a plain wall."""
    top = F.rounded_box("counter", (18, 6.4, .34), .03, F.stone_mat() if counter == "stone" else F.wood_mat())
    top.location = (0, wall_y - 3.2, -.17)
    F.new_object("wall", [(-14, wall_y, -1), (14, wall_y, -1), (14, wall_y, 9), (-14, wall_y, 9)], [(0, 1, 2, 3)], F.plaster_mat(wall), smooth=False)


def berries(n, centre, spread, floor, avoid=(), seed=4, size=.31, wet=True, wall=1.05):
    """Heap of strawberries, some of them wet."""
    take = G.kinds(lambda i: G.strawberry(i, size + .03 * (i % 3)), 7)
    heap = G.heap([take() for _ in range(n)], [size * .40 + .008 * (i % 3) for i in range(n)], centre, spread, floor, wall, avoid, seed)
    for i, ob in enumerate(heap[::2] if wet else ()):
        G.drops(ob, 6, i, (.004, .010))
    return heap


def greens():
    """Strawberries, green and red grapes, broccoli and butter lettuce in the bowl at the origin."""
    G.mound(.62, .90)
    put(G.lettuce(.50, 3, 40), -.36, .36, .86, (.34, -.10, .4))
    put(G.broccoli(.35, 1), .40, .44, .98, (.30, .10, 0))
    put(G.broccoli(.26, 4), .82, .14, .90, (.25, .40, 1))
    put(G.grapes("red", 34, (.34, .21, .17), .076, 5), .34, -.12, 1.0, (-.15, .05, -.35))
    put(G.grapes("green", 46, (.42, .22, .18), .080, 2), .46, -.54, .94, (-.10, .06, .42))
    berries(24, (-.48, -.48), .45, .84, ((-.36, .36, 1.15, .46), (.30, -.14, 1.12, .36), (.46, -.54, 1.10, .40), (.15, -.50, 1.05, .22)))


def counter_top(colour="green"):
    """Counter at a window: filled bowl, lid against the wall, mug, linen."""
    room()
    morning()
    F.bowl(colour).rotation_euler.z = math.radians(-10)
    greens()
    lid = F.group("lid set", [F.lid(colour)])
    c = F.cartridge(colour, label=False)
    c.location.z, c.parent = F.LID_TOP - .168, lid
    tilt = math.radians(66)
    put(lid, 1.42, 2.62 - 1.2 * math.cos(tilt) - F.LID_Z * .9, 1.20 * math.sin(tilt) - F.LID_Z * math.cos(tilt) + .02, (tilt, 0, -.06))
    put(P.mug("#C8BCA8"), -1.62, -.30, .068, (0, 0, 2.6)).scale = (.84,) * 3
    put(P.napkin(1.05, 1.5, P.linen_mat("#CFC8B6"), 3), -1.72, -.55, 0, (0, 0, 1.32))


def banner(colour="green"):
    """Wide home picture: bowl in the right third, quiet wall on the left for text."""
    counter_top(colour)
    t = (-1.75, 0, .86)
    F.camera(F.orbit(t, 9.6, -2, 12), t, 50, 4.0, (0, -.9, .95))


def banner_phone(colour="green"):
    """The same morning upright, for phones: calm wall in the top third."""
    counter_top(colour)
    t = (-.35, 0, 1.28)
    F.camera(F.orbit(t, 9.4, -4, 13), t, 58, 4.0, (0, -.9, .95))


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
    """The open bowl at work, from the sitter's eye, full of greens and grapes for lunch."""
    room(5.0, "wood")
    morning(1.0, (.2, .6, .3), turn=.35, elevation=30, warm=(1, .82, .60))
    F.bowl(colour).rotation_euler.z = math.radians(-4)
    G.mound(.62, .86)
    put(G.lettuce(.50, 5, 40), -.40, .30, .84, (.22, -.14, 1))
    put(G.lettuce(.44, 11, 34), .36, .46, .82, (.28, .14, 3))
    put(G.broccoli(.30, 2), .62, -.10, .82, (.32, .30, 0))
    put(G.broccoli(.26, 6), -.72, -.22, .84, (.40, -.30, 2))
    put(G.grapes("green", 46, (.42, .22, .18), .080, 2), .22, -.44, .92, (-.06, .04, .5))
    put(P.keyboard(), -1.25, 2.2, 0, (0, 0, .03))
    put(P.mug("#B9AE9B"), 1.95, .95, 0, (0, 0, .5)).scale = (.84,) * 3
    put(P.napkin(1.0, 1.55, P.linen_mat("#CFC7B4"), 5), -1.85, -.15, 0, (0, 0, .12))
    t = (.05, .22, .55)
    F.camera(F.orbit(t, 6.1, 4, 42), t, 42, 5.6, (0, -.3, 1.0))


def picnic(colour="white"):
    """Open bowl of strawberries and grapes in its sleeve, on a checked blanket under a tree."""
    P.meadow()
    blanket = P.cloth(6.0, 5.0, P.linen_mat("#E0D9C8", "#4F6349", .42), 5, .045, creases=((1.45, -1.15, .035), (.15, -1.35, .03)), flat=(0, .35, 1.15))
    put(blanket, 0, -.35, .02)
    base = .032
    p = F.bowl(colour)
    put(p, 0, 0, base, (0, 0, math.radians(8)))
    put(F.travel_sleeve(up=False), 0, 0, base, (0, 0, math.radians(8)))
    G.mound(.62, .90).location.z = base
    put(G.grapes("green", 46, (.42, .22, .18), .080, 2), .44, .34, 1.0, (.05, .06, .3))
    put(G.grapes("red", 34, (.34, .21, .17), .076, 5), .52, -.40, .98, (-.15, .05, -.5))
    berries(30, (-.42, -.18), .62, .84 + base, ((.44, .34, 1.12, .42), (.52, -.40, 1.10, .36)))
    board = F.rounded_box("board", (1.7, 1.15, .11), .05, F.wood_mat("X"))
    put(board, 1.95, -.65, base + .075, (0, 0, math.radians(-16)))
    put(G.melon_wedge(.60, .66), 1.80, -.55, base + .13 + .60, (.20, math.pi / 2, -.25))
    put(G.basil(3, .36, 3), 2.35, -.85, base + .16, (1.35, 0, 1.0))
    rest(P.apple(.30, 3), -1.75, -.45, (.08, .14, .6)).location.z += base + .01
    rest(P.apple(.29, 7), -2.15, .20, (-.1, .1, 2.4)).location.z += base + .01
    P.dapple((.2, 0, .6))
    t = (.1, 0, .78)
    F.camera(F.orbit(t, 8.6, -6, 13), t, 58, 2.8, (0, -.9, .9))


def week(colour="white"):
    """The same three foods after a week: moldy, yellow and slack on a plate, fresh in the bowl."""
    room(3.1)
    morning(.95, (.2, .6, .4))
    b = F.bowl(colour)
    b.rotation_euler.z = math.radians(10)
    before = set(bpy.context.scene.objects)
    G.mound(.62, .88)
    put(G.broccoli(.36, 3), .46, .30, .80, (.30, .15, 0))
    put(G.broccoli(.26, 8), .80, -.12, .82, (.35, .40, 1))
    put(G.lettuce(.48, 5, 30), -.38, .34, .86, (.32, -.10, 1))
    berries(24, (-.05, -.55), .5, .84, ((-.38, .34, 1.15, .46), (.46, .34, 1.10, .38), (.80, -.10, 1.05, .28)), 6)
    rig = F.group("bowl set", [o for o in bpy.context.scene.objects if o.parent is None and (o not in before or o == b)])
    rig.location = (1.32, .1, 0)
    put(P.dish(1.22, "#CFC8BB"), -1.50, -.25)
    yellow = G.tinted(G.broccoli_mat(), "#A89A3A", .78)
    put(G.broccoli(.34, 3, yellow), -1.10, .18, .20, (.75, .35, .4))
    for seed, x, y, rx, rz in ((3, -1.95, .42, .10, .6), (6, -1.55, .55, .16, -.3), (9, -2.20, -.05, .08, 1.4), (12, -1.70, .15, .25, .2)):
        put(G.butter_leaf(.62, .60, .25, .35, seed, G.butter_mat("#5E5F26", "#8A7F38", "#A89A60", .9), .05, .8), x, y, .26, (rx, .1, rz))
    for i, (x, y, rz) in enumerate(((-1.75, -.55, 1), (-1.42, -.62, 2.6), (-1.60, -.28, 4), (-1.12, -.42, 5.2), (-2.02, -.38, .3), (-1.36, -.30, 1.9))):
        ob = put(G.old_strawberry(i), x, y, .215 + (.12 if i == 5 else 0), (1.35, .3 * (i % 3 - 1), rz))
        ob.scale = (1, 1, .95)
    F.props(3.1)
    t = (0.0, 0, 0.62)
    F.camera(F.orbit(t, 8.6, 0, 24), t, 62, 5.0, (0, -.7, .6))


def temperature(colour, text, fill):
    """One of a pair: the same camera and light, another temperature and the food for it."""
    room(3.0, wall="#C9C7B6")
    morning(1.0, (.3, 1.0, .4))
    F.bowl(colour, text=text)
    fill()
    t = (0, 0, .72)
    F.camera(F.orbit(t, 7.4, 0, 17), t, 66, 4.0, (0, -.9, .95))


def fill_cold():
    """Berries and greens."""
    G.mound(.62, .88)
    put(G.lettuce(.50, 9, 40), .40, .32, .86, (.32, .10, 3))
    put(G.broccoli(.33, 5), -.48, .42, .78, (.28, -.12, 0))
    berries(17, (-.50, -.38), .4, .84, ((.40, .32, 1.15, .46), (-.48, .44, 1.1, .36), (.35, -.62, 1.0, .38)), 9)
    take = G.kinds(lambda i: F.blueberry(.062, i), 6)
    blue = [take() for _ in range(70)]
    G.heap(blue, [.056 + .002 * (i % 5) for i in range(70)], (.36, -.55), .35, .88, 1.06, ((.40, .32, 1.15, .46), (-.30, -.45, 1.0, .36)), 3)
    for i in range(3):
        rest(G.strawberry(20 + i), 1.28 + .3 * i, -.72 + .16 * (i % 2), (1.4, .1, 1.3 * i))


def fill_warm():
    """Tomatoes and basil."""
    G.mound(.60, .84)
    sizes = [.27, .25, .28, .24, .26, .27, .25, .23, .26]
    heap = G.heap([F.tomato(r, i) for i, r in enumerate(sizes)], [r * .92 for r in sizes], (-.08, -.25), .9, .64, 1.06, ((.46, .30, 1.15, .30),), 8)
    for i, ob in enumerate(heap):
        ob.rotation_euler = (.5 * math.sin(i * 2.1) + .35, .5 * math.cos(i * 1.7), i)
        bpy.context.view_layer.update()
        G.drops(ob, 5, i, (.004, .010))
    for i, (x, y, z, rx, ry) in enumerate(((.40, .16, 1.02, .40, .10), (.66, .20, 1.0, .30, .45), (.28, .44, 1.06, .15, .0), (.60, .46, 1.0, .1, .3))):
        put(G.basil(i + 4, .50, 3), x, y, z, (rx, ry, 1.3 * i))
    rest(F.tomato(.25, 31), 1.45, -.55, (.12, .1, 1))
    put(G.basil(9, .34, 3), 1.0, -.95, .06, (1.45, 0, -1.0))


def scale(colour="green", model="pro"):
    """Closed bowl between a mug, a wine bottle and a cutting board."""
    room(3.0)
    morning(1.0, (.2, 1.0, .5), turn=-.1)
    bowl = F.product(colour, model, label=False)
    bowl.rotation_euler.z, bowl.scale = math.radians(-6), (F.SIZE[model],) * 3
    put(P.mug("#D3CBBB"), -1.92, -.25, 0, (0, 0, 2.7)).scale = (.86,) * 3
    put(P.wine(), 1.85, .35)
    board = F.rounded_box("board", (2.5, .15, 3.3), .07, F.wood_mat("Z"))
    put(board, -.62, 2.74, 1.66, (math.radians(-7), 0, math.radians(2)))
    put(G.grapes("red", 46, (.40, .24, .19), .078, 7), 1.55, -.85, 0, (0, 0, -.5))
    t = (0, 0, .95)
    F.camera(F.orbit(t, 9.6, -2, 13), t, 58, 5.6, (0, -1.0, .75))


def wide(colour="green"):
    """A whole kitchen corner through a wide lens: the bowl lives here."""
    P.kitchen_wall()
    morning(1.15, (.6, 1.0, .2), turn=-.05, elevation=29)
    put(F.product(colour, label=False), .55, .05, 0, (0, 0, math.radians(-8)))
    put(P.toaster(), 3.35, .75, 0, (0, 0, -.15))
    put(P.dish(.95), -1.55, .35)
    for i, (x, y, z) in enumerate(((-1.80, .18, .36), (-1.25, .20, .36), (-1.55, .70, .37), (-1.55, .35, .78))):
        put(P.apple(.31, i + 2) if i != 3 else P.pear(.27, 3), x, y, z, (.2 * i, .1, i))
    put(P.mug("#D3CBBB"), 1.95, -.55, 0, (0, 0, .4)).scale = (.84,) * 3
    F.props(2.2)
    t = (-.35, 0, 1.15)
    F.camera(F.orbit(t, 6.9, -3, 12), t, 28, 5.6, (.55, -.8, .9))


def night(colour="white"):
    """Dark kitchen: the ring and the display are the only lights, but for a little moon."""
    room(3.4, wall="#4E5258")
    put(F.product(colour, label=False), .95, 0, 0, (0, 0, math.radians(-8)))
    F.softbox("moon", (-5.0, 2.6, 4.0), (.6, .3, .6), (1.6, 3.5), 75, (.58, .74, 1))
    F.world_fill("#31415C", .06)
    for m in bpy.data.materials:
        if m.name.startswith("glow"):
            m.node_tree.nodes["Principled BSDF"].inputs["Emission Strength"].default_value *= 3.5
        if m.name.startswith("stone"):
            m.node_tree.nodes["Principled BSDF"].inputs["Specular"].default_value = .65
    F.props(3.4)
    t = (-.55, 0, .82)
    F.camera(F.orbit(t, 9.2, -3, 13), t, 52, 4.0, (.9, -.9, .9))


def still(counter, turn=-.1, wall="#D9D3C8", back=2.6, elevation=25):
    """Set for a small still life."""
    room(back, counter, wall)
    morning(1.0, (.1, .4, .2), turn=turn, elevation=elevation)


def blog_berries(_=None):
    """Washed strawberries, blueberries and raspberries on a dish."""
    still("stone")
    put(P.dish(1.12, "#C9C2B4"), 0, 0)
    heap = berries(17, (-.40, .05), .45, .16, ((.48, -.05, .2, .35),), 12, wall=.95)
    take = G.kinds(lambda i: F.blueberry(.062, i), 6)
    for i, ob in enumerate(G.heap([take() for _ in range(60)], [.058] * 60, (.45, -.32), .35, .15, .95, ((-.42, .05, .3, .50),), 3)):
        if i % 4 == 0:
            G.drops(ob, 3, i, (.003, .007))
    rasp = G.kinds(lambda i: F.raspberry(.084, i), 4)
    G.heap([rasp() for _ in range(22)], [.080] * 22, (.42, .42), .3, .15, .95, ((-.42, .05, .3, .50), (.45, -.35, .2, .34)), 5)
    rest(G.strawberry(31), -1.42, -.55, (1.4, .1, .6))
    scatter_berries(5, (1.30, -.60), .20)
    t = (0, -.02, .22)
    F.camera(F.orbit(t, 6.4, -8, 27), t, 74, 4.5, (0, -.5, .35))


def blog_ethylene_fruit(_=None):
    """The fruit that ripens the rest: apples, a pear, an avocado and a tomato together."""
    still("wood", wall="#B9BAA8")
    for ob, x, y, rot in ((P.apple(.34, 2), -.72, -.10, (.06, -.10, .4)), (P.apple(.33, 6), .10, .42, (-.1, .1, 2)), (P.pear(.30, 1), -1.10, .62, (0, .04, .8)),
                          (F.avocado(.26, 2), .72, -.22, (1.42, .1, 1.0)), (F.tomato(.27, 4), 1.20, .35, (.1, .1, 1)), (F.tomato(.25, 5), .06, -.62, (.2, -.1, 2))):
        rest(ob, x, y, rot)
    t = (0, 0, .34)
    F.camera(F.orbit(t, 6.2, -6, 17), t, 70, 4.0, (-.3, -.4, .35))


def blog_cold(colour="black"):
    """Grapes with cold water drops in the open bowl, from close by."""
    still("stone")
    F.bowl(colour)
    G.mound(.56, .80, "#2C3018")
    for kind, n, x, y, z, rz, seed in (("green", 62, -.42, -.36, .86, .5, 3), ("red", 62, .42, .10, .86, -.9, 8), ("green", 54, -.30, .42, .88, 2.6, 11),
                                       ("green", 44, .34, -.62, .84, .25, 14)):
        for ob in put(G.grapes(kind, n, (.46, .30, .22), .080, seed), x, y, z, (0, 0, rz)).children:
            bpy.context.view_layer.update()
            if ob.name.startswith("grape"):
                G.drops(ob, 5, n, (.004, .011), .1)
    t = (0, -.25, .88)
    F.camera(F.orbit(t, 5.6, -8, 30), t, 74, 4.0, (0, -.60, 1.0))


def blog_cleaning(colour="white"):
    """The empty open bowl, wiped; cloth, soap and lid beside it."""
    still("stone", wall="#C9CBC0", back=3.0)
    b = F.bowl(colour)
    b.rotation_euler.z = math.radians(14)
    loose_lid(colour, (2.05, .85))
    put(P.napkin(1.0, 1.5, P.linen_mat("#BCC2AE"), 8), -1.55, -.75, 0, (0, 0, 1.1))
    put(P.soap(), -1.85, .65)
    t = (.25, 0, .62)
    F.camera(F.orbit(t, 8.4, -4, 27), t, 62, 5.0, (0, -.8, .9))


def blog_travel(colour="green"):
    """The closed bowl in its sleeve on a bench, ready to go."""
    still("wood", turn=.1, wall="#D3CEC2", back=2.2)
    put(F.product(colour, label=False), .25, .1, 0, (0, 0, math.radians(-8)))
    put(F.travel_sleeve(), .25, .1, 0, (0, 0, math.radians(-24)))
    put(P.napkin(.95, 1.5, P.linen_mat("#6E7660"), 6), -1.65, -.35, 0, (0, 0, 1.25))
    rest(P.apple(.30, 5), -1.70, .45, (.1, .1, 1))
    rest(P.pear(.27, 4), -1.45, -.35, (1.40, .1, 2)).location.z += .06
    t = (-.15, 0, .72)
    F.camera(F.orbit(t, 8.4, -5, 15), t, 58, 4.0, (.2, -.8, .8))


def blog_limp(_=None):
    """Limp carrots and wilted lettuce on a board, one crisp carrot beside them."""
    still("stone", back=2.8)
    board = F.rounded_box("board", (3.0, 1.9, .13), .06, F.wood_mat("X"))
    put(board, -.1, .15, .068, (0, 0, -.08))
    for i in range(3):
        ob = G.carrot(1.05, .105, i + 2, .0)
        G.bend(ob, (1.5, -1.1, 1.9)[i])
        rest(ob, -.62 + .34 * i, -.10 + .24 * i, (1.57, 0, -1.2 + .2 * i), 0).location.z += .135
    for seed, x, y, rz in ((3, .55, .42, -.5), (6, .95, .25, -1.2), (9, .72, .60, .2)):
        put(G.butter_leaf(.72, .68, .25, .30, seed, G.butter_mat("#6A7A30", "#9A9A50", "#BDB480", .6), .05, .7), x, y, .17, (.08, 0, rz))
    rest(G.carrot(1.05, .11, 7, .8), -.70, -1.10, (1.57, 0, -1.25))
    t = (-.05, -.05, .20)
    F.camera(F.orbit(t, 6.2, -6, 30), t, 66, 5.0, (0, -.5, .3))


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
    """The three colors side by side, the middle one open and filled."""
    for c, x, rot in (("white", -2.75, 12), ("black", 2.75, -16)):
        put(F.product(c, label=False), x, .35, 0, (0, 0, math.radians(rot)))
    F.bowl("green").rotation_euler.z = math.radians(-4)
    fill_green()
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
    "banner-phone": banner_phone,
    "temperature-37": lambda: temperature("green", "37oF", fill_cold),
    "temperature-50": lambda: temperature("green", "50oF", fill_warm),
    "scale-counter": scale,
    "kitchen-wide": wide,
    "night-counter": night,
    "blog-berries": blog_berries,
    "blog-ethylene-fruit": blog_ethylene_fruit,
    "blog-cold": blog_cold,
    "blog-cleaning": blog_cleaning,
    "blog-travel": blog_travel,
    "blog-limp": blog_limp,
    "banner-colors": colours_row,
}

# Scenes in the other colors: only the part with the bowl is rendered, over the green one's master.
PATCHES = {}
for _long, _c in COLOURS.items():
    if _c != "green":
        for _name, _build, _rect in (
            ("scale-counter", scale, (.27, .34, .735, .79)),
            ("temperature-37", lambda c: temperature(c, "37oF", fill_cold), (.17, .33, .83, .88)),
            ("temperature-50", lambda c: temperature(c, "50oF", fill_warm), (.17, .33, .83, .88)),
            ("lifestyle-counter", lifestyle, (0, .30, .75, .80)),
        ):
            SHOTS[f"{_name}-{_long}"] = lambda b=_build, c=_c: b(c)
            PATCHES[f"{_name}-{_long}"] = (_name, _rect, True)
    SHOTS[f"classic-{_long}-scale"] = lambda c=_c: scale(c, "classic")
    PATCHES[f"classic-{_long}-scale"] = ("classic-earth-green-scale", (.27, .34, .735, .79), True)
PATCHES["classic-earth-green-scale"] = ("scale-counter", (.27, .34, 1, .82), False)

WIDE = {"banner", "banner-colors", "kitchen-wide", "night-counter"}
SIZES = {name: (2400, 1000) if name in WIDE else (1600, 1067) for name in SHOTS}
SIZES |= {"banner-phone": (1280, 1600), "lifestyle-breakfast": (1600, 1600)}
