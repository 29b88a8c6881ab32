"""More to put on a table: orchard fruit, produce past its best, cloth, desk things, a meadow."""
import math

import bpy
import scene as F
from scene import TAU, Mat, Vector, cached, fillet, grid, lathe, new_object, noise, rounded_box, srgb

# ----------------------------------------------------------------- fruit


@cached
def apple_mat(aged=False):
    """Red skin streaked with yellow from the stem down; dull and brown when aged."""
    m = Mat("apple")
    streak = m.noise(1.0, 4, 0.65, vec=m.coords(scale=(9, 9, 1.1)))
    patch = m.noise(1.6, 3, 0.5)
    f = m.math("ADD", m.math("MULTIPLY", streak, 0.55), m.math("MULTIPLY", patch, 0.6))
    if aged:
        col = m.ramp(f, [(0.40, "#561A12"), (0.56, "#74301A"), (0.72, "#8E5E30")])
        rot = m.noise(1.15, 2, 0.4)
        col = m.mix(m.ramp(rot, [(0.46, "#000000"), (0.54, "#E8E8E8")]), col, "#3E2814")
    else:
        col = m.ramp(f, [(0.40, "#7C1114"), (0.54, "#982018"), (0.63, "#B0482A"), (0.74, "#CFA456")])
        fleck = m.node("ShaderNodeTexVoronoi", {"Scale": 30.0, "Vector": m.coords()}).outputs["Distance"]
        col = m.mix(m.ramp(fleck, [(0.06, "#6A6A6A"), (0.14, "#000000")]), col, "#E2C08A")
    h = m.math("ADD", m.noise(26, 3), m.math("MULTIPLY", m.noise(7, 3, vec=m.coords(scale=(2.2, 2.2, .7))), 3 if aged else 0))
    m.set(Base_Color=col, Roughness=0.62 if aged else 0.30, Specular=0.3 if aged else 0.45,
          Subsurface=0.03, Subsurface_Color=srgb("#B03A1C"), Subsurface_Radius=(.06, .03, .02),
          Normal=m.bump(h, 0.5 if aged else 0.04, 0.03 if aged else 0.008))
    return m.m


def shrivel(ob, depth, seed, ridges=5.0):
    """Wrinkles that run from pole to pole, and a general sag."""
    zs = [v.co.z for v in ob.data.vertices]
    zm, zh = (max(zs) + min(zs)) / 2, (max(zs) - min(zs)) / 2
    for v in ob.data.vertices:
        c = v.co
        a = math.atan2(c.y, c.x)
        p = Vector((math.cos(a) * ridges, math.sin(a) * ridges, (c.z - zm) / zh * 1.3 + seed * 3.7))
        k = 1 - depth * (1 - abs(noise.noise(p)) * 2.2) * (1 - abs((c.z - zm) / zh) ** 3)
        k += depth * .8 * noise.noise(Vector((math.cos(a), math.sin(a), c.z / zh + seed)))
        v.co = Vector((c.x * k, c.y * k, c.z * (1 - depth * .6)))
    return ob


def apple(r=0.36, seed=0, aged=False):
    """Apple with both dimples, five soft shoulders and a stem."""
    prof, n = [], 110 if aged else 60
    for i in range(n + 1):
        t = -math.pi / 2 + math.pi * i / n
        rr = r * math.cos(t) ** 0.80 * (1 + 0.10 * math.sin(t)) if 0 < i < n else 0.0
        z = r * 0.90 * math.sin(t)
        d = max(rr, 0) / r
        z -= r * 0.34 * math.exp(-(d / .26) ** 1.6) if t > 0 else -r * 0.20 * math.exp(-(d / .30) ** 2)
        prof.append((max(rr, 0.0), z))
    ob = F._spin_organic("apple", prof, apple_mat(aged), lobes=5, lobe=0.020, wobble=0.05, seed=seed,
                         seg=220 if aged else 96)
    if aged:
        shrivel(ob, 0.06, seed, 2.8)
    top = max(v.co.z for v in ob.data.vertices if v.co.xy.length < .02) if not aged else prof[-1][1] * .95
    stem = F.tube("stem", [(0, 0, top - .02), (0, 0, top + r * .2), (r * .05, 0, top + r * .36), (r * .16, .01, top + r * .58)],
                  r * 0.036, F.plastic("#4A3218", 0.8))
    stem.parent = ob
    return ob


@cached
def pear_mat():
    """Green going yellow, with russet freckles."""
    m = Mat("pear")
    col = m.ramp(m.noise(2.2, 4, 0.6), [(0.3, "#7E8A28"), (0.55, "#A8A53A"), (0.8, "#C4A244")])
    fleck = m.node("ShaderNodeTexVoronoi", {"Scale": 44.0, "Vector": m.coords()}).outputs["Distance"]
    col = m.mix(m.ramp(fleck, [(0.10, "#808080"), (0.22, "#000000")]), col, "#6E5424")
    m.set(Base_Color=col, Roughness=0.42, Specular=0.4, Subsurface=0.05, Subsurface_Color=srgb("#C8B84A"),
          Subsurface_Radius=(.06, .05, .02), Normal=m.bump(m.noise(30, 3), 0.08, 0.008))
    return m.m


def pear(r=0.34, seed=0):
    """Pear standing on its base, neck slightly bent."""
    prof, n = [], 64
    for i in range(n + 1):
        t = -math.pi / 2 + math.pi * i / n
        s = (math.sin(t) + 1) / 2
        k = 1 - 0.58 * (s * s * (3 - 2 * s)) ** 1.15
        rr = r * math.cos(t) ** 0.72 * k * 1.08 if 0 < i < n else 0.0
        z = r * 1.32 * math.sin(t) - (0 if t > 0 else -r * .16 * math.exp(-(max(rr, 0) / r / .3) ** 2))
        prof.append((max(rr, 0.0), z))
    ob = F._spin_organic("pear", prof, pear_mat(), lobes=3, lobe=0.016, wobble=0.07, seed=seed, seg=90)
    for v in ob.data.vertices:
        if v.co.z > 0:
            v.co.x += .10 * v.co.z ** 2
    z = prof[-1][1]
    stem = F.tube("stem", [(.1 * z * z, 0, z - .03), (.1 * z * z + .01, 0, z + r * .2), (.1 * z * z + .05, 0, z + r * .5)],
                  r * 0.05, F.plastic("#4E381C", 0.8))
    stem.parent = ob
    return ob


# ----------------------------------------------------------------- cloth and tableware


@cached
def linen_mat(hex_="#D8D2C4", stripe=None, scale=1.0):
    """Plain woven linen, with two-way stripes when a colour is given."""
    m = Mat("linen " + hex_)
    xyz = m.node("ShaderNodeSeparateXYZ", {0: m.node("ShaderNodeTexCoord").outputs["UV"]})
    col = m.mix(m.noise(7, 4), hex_, tuple(c * .86 for c in srgb(hex_)[:3]) + (1,))
    if stripe:
        for axis in (0, 1):
            w = m.math("SINE", m.math("MULTIPLY", xyz.outputs[axis], 20 * scale))
            col = m.mix(m.math("MULTIPLY", m.math("GREATER_THAN", w, 0.0), .48), col, stripe)
    weave = m.math("ADD", m.math("SINE", m.math("MULTIPLY", xyz.outputs[0], 420)),
                   m.math("SINE", m.math("MULTIPLY", xyz.outputs[1], 420)))
    m.set(Base_Color=col, Roughness=0.92, Specular=0.1, Sheen=0.25,
          Normal=m.bump(m.math("ADD", weave, m.math("MULTIPLY", m.noise(60, 2), 2)), 0.18, 0.006))
    return m.m


def cloth(w, d, mat, seed=0, fold=0.05, n=150, creases=(), flat=None):
    """A cloth on the table: soft folds, sharper creases ((angle, offset, height)), flat around a point when asked."""
    verts, uvs = [], []
    for j in range(n + 1):
        for i in range(n + 1):
            u, v = i / n - .5, j / n - .5
            x = u * w + .05 * noise.noise(Vector((v * 5, seed, 1)))
            y = v * d + .05 * noise.noise(Vector((u * 5, seed, 9)))
            z = fold * (0.5 + noise.noise(Vector((x * .7 + seed, y * .7, seed)))) ** 2
            z += fold * .35 * (0.5 + noise.noise(Vector((x * 1.9, y * 1.4 + seed, 3))))
            for ang, off, h in creases:
                s = x * math.cos(ang) + y * math.sin(ang) - off + .12 * noise.noise(Vector((x, y, seed + 4)))
                z += h * math.exp(-(s / .13) ** 2)
            if flat:
                k = min(1, max(0, (Vector((x - flat[0], y - flat[1])).length - flat[2]) / .5))
                z *= k * k * (3 - 2 * k)
            verts.append((x, y, .012 + max(z, 0)))
            uvs.append((x, y))
    ob = grid("cloth", verts, uvs, n, mat)
    s = ob.modifiers.new("thick", "SOLIDIFY")
    s.thickness = 0.012
    return ob


def sheet(name, w, d, shape, mat, nu=60, nv=60, thick=.012):
    """Cloth from a function (u, v in 0..1) -> point; UV in units, for the weave."""
    steps = [(i / nu, j / nv) for j in range(nv + 1) for i in range(nu + 1)]
    ob = grid(name, [shape(u, v) for u, v in steps], [(u * w, v * d) for u, v in steps], nu, mat)
    s = ob.modifiers.new("thick", "SOLIDIFY")
    s.thickness = thick
    ob.modifiers.new("soft", "SUBSURF").render_levels = 1
    return ob


def napkin(w, d, mat, seed=0):
    """Napkin folded twice, its layers a little apart, along X and Y, on z = 0."""
    gap, layers = .020, 3
    rnd = F.random.Random(seed)
    slip = [rnd.uniform(-.03, .03) for _ in range(layers + 1)]

    def shape(u, v):
        t = u * layers
        k = min(int(t), layers - 1)
        s = t - k
        x = w * (s - .5 if k % 2 == 0 else .5 - s) + slip[k] * (1 - s) + slip[k + 1] * s
        e = max(0, s - .94) / .06 if k < layers - 1 else 0
        z = gap * (k + .5 * e * e) if e else gap * (k - (.5 * (max(0, .06 - s) / .06) ** 2 if k else 0))
        z += (.010 + .006 * k) * (1 + noise.noise(Vector((x * 1.8, v * 2.2 + seed, k * .4)))) + .004 * noise.noise(Vector((x * 7, v * 8, k)))
        y = (v - .5) * d + .02 * noise.noise(Vector((x * 2, k, seed)))
        return (x + .02 * noise.noise(Vector((v * 3, seed, k))), y, .008 + max(z, 0))
    return sheet("napkin", w * layers, d, shape, mat, 120, 60)


@cached
def ceramic_mat(hex_="#D9D3C6"):
    """Matte glaze, slightly speckled."""
    m = Mat("ceramic " + hex_)
    speck = m.node("ShaderNodeTexVoronoi", {"Scale": 34.0, "Vector": m.coords()}).outputs["Distance"]
    m.set(Base_Color=m.mix(m.ramp(speck, [(0.05, "#909090"), (0.12, "#000000")]), hex_, "#6E6352"), Roughness=0.38,
          Specular=0.45, Normal=m.bump(m.noise(9, 3), 0.06, 0.02))
    return m.m


def dish(r=1.05, hex_="#D9D3C6"):
    """Wide, low stoneware dish."""
    return lathe("dish", fillet([(0, .0), (r * .55, .0, .02), (r * .62, .05, .06), (r * .97, .22, .05), (r, .25, .012),
                                 (r * .96, .26, .015), (r * .60, .10, .08), (0, .075)]), ceramic_mat(hex_), seg=160)


def mug(hex_="#C9BFAE", drink="#2A150A"):
    """Mug with a handle and coffee in it."""
    m = ceramic_mat(hex_)
    body = lathe("mug", fillet([(0, .01), (.36, .01, .07), (.41, .12, .06), (.42, .88, .015), (.385, .88, .015), (.375, .14, .07),
                                (0, .10)]), m, seg=120)
    coffee = F.disc("coffee", .378, F.plastic(drink, 0.12), 64)
    coffee.location.z = .74
    handle = F.tube("handle", [(.40, 0, .72), (.56, 0, .76), (.70, 0, .62), (.68, 0, .38), (.54, 0, .24), (.40, 0, .26)], .048, m)
    return F.group("mug", [body, coffee, handle])


def chopsticks():
    """Two tapered wooden sticks, side by side."""
    obs = []
    for k in (0, 1):
        s = lathe("stick", fillet([(0, 0), (.022, 0, .008), (.040, 2.2, .012), (0, 2.2)]), F.wood_mat("Z", "#8A5F3A", "#5C3A20"), seg=24)
        s.rotation_euler = (math.pi / 2, 0, .05 * k)
        s.location = (.11 * k, 0, .040)
        obs.append(s)
    return F.group("chopsticks", obs)


def tray(r=1.06):
    """Shallow stoneware dish that hangs in the rim of the open bowl; its rim is at z = 0.25."""
    return lathe("tray", fillet([(0, .06), (r * .80, .06, .10), (r * .985, .24, .02), (r * 1.01, .25, .01), (r * .98, .21), (r * .8, .03, .1), (0, .03)]),
                 ceramic_mat("#C8BFAE"), seg=160)


@cached
def noodle_mat():
    """Buckwheat: gray-brown, wet."""
    m = Mat("noodle")
    m.set(Base_Color=m.ramp(m.noise(30, 3), [(.35, "#7A624A"), (.6, "#937A5E"), (.72, "#5E4A36")]), Roughness=.38, Specular=.45, Subsurface=.15,
          Subsurface_Color=srgb("#B08A60"), Subsurface_Radius=(.03, .02, .01))
    return m.m


def noodles(centre, r, n, seed=0):
    """Nest of soba: strands that circle the middle and wander."""
    rnd, obs = F.random.Random(seed), []
    c = Vector(centre)
    for k in range(n):
        a, rho, h = rnd.uniform(0, TAU), r * math.sqrt(rnd.uniform(.02, 1)), rnd.random()
        pts = []
        for i in range(26):
            a += rnd.uniform(.12, .42)
            rho = min(r, max(.04, rho + rnd.uniform(-.07, .07)))
            lift = .30 * (1 - (rho / r) ** 2) * (.35 + .65 * h) + .012 * rnd.uniform(-1, 1)
            pts.append(c + Vector((rho * math.cos(a), rho * math.sin(a) * .92, lift)))
        ob = F.tube("noodle", pts, .0125, noodle_mat())
        ob.data.resolution_u, ob.data.bevel_resolution = 5, 2
        obs.append(ob)
    return obs


def half_egg(r=.20):
    """Boiled egg cut lengthwise, cut face up, its yolk set and still moist."""
    white, yolk = Mat("egg white"), Mat("yolk")
    white.set(Base_Color=srgb("#ECE6DA"), Roughness=.32, Subsurface=.25, Subsurface_Color=srgb("#F4EBD8"), Subsurface_Radius=(.05, .04, .03))
    yolk.set(Base_Color=yolk.ramp(yolk.noise(6, 3), [(.3, "#D8820E"), (.7, "#E8A228")]), Roughness=.35, Subsurface=.2, Subsurface_Color=srgb("#F0A020"),
             Subsurface_Radius=(.05, .03, .01), Normal=yolk.bump(yolk.noise(40, 3), .15, .006))
    prof = fillet([(0, -r * .8)] + [(r * math.sin(t), -r * .8 * math.cos(t)) for t in (math.pi / 2 * i / 20 for i in range(1, 20))] +
                  [(r, 0, .012), (r * .60, .004), (0, .004)])
    body = lathe("egg", prof, white.m, seg=72)
    core = lathe("yolk", [(0, .020), (r * .38, .017), (r * .50, .010), (r * .56, .0)], yolk.m, seg=60)
    for v in [*body.data.vertices, *core.data.vertices]:
        v.co.x *= 1.30 + .10 * v.co.x / r
    return F.group("egg", [body, core])


def sesame():
    """One white seed."""
    if "sesame" not in F._cache:
        ob = lathe("sesame", [(0, -.016), (.006, -.008), (.008, .002), (.005, .012), (0, .016)], F.plastic("#D8C9A4", .5), seg=12)
        F._cache["sesame"] = ob.data
        return ob
    ob = bpy.data.objects.new("sesame", F._cache["sesame"])
    bpy.context.collection.objects.link(ob)
    return ob


def wine():
    """Bordeaux bottle, 12 in high, with a paper label."""
    k = 2.52 / 30       # units a centimeter of its height
    glass = lathe("bottle", fillet([(0, .02), (3.5 * k, .0, .05), (3.7 * k, .6 * k, .05), (3.75 * k, 19 * k, .18), (1.55 * k, 23 * k, .12),
                                    (1.45 * k, 28.3 * k, .02), (1.65 * k, 28.4 * k, .01), (1.65 * k, 29.4 * k, .02), (0, 29.4 * k)]), F.plastic("#10160C", .07, .6), seg=96)
    foil = lathe("foil", [(1.62 * k, 24.2 * k), (1.58 * k, 26 * k), (1.54 * k, 28.3 * k), (1.72 * k, 28.4 * k), (1.72 * k, 29.5 * k), (0, 29.52 * k)],
                 F.plastic("#3A1216", .35), seg=64)
    label = lathe("label", [(3.79 * k, 6 * k), (3.79 * k, 14.5 * k)], F.plastic("#E4DDCB", .8), seg=96, arc=2.4, start=-math.pi / 2 - 1.2)
    line = lathe("line", [(3.80 * k, 11.2 * k), (3.80 * k, 11.5 * k)], F.plastic("#5E5A4A", .8), seg=96, arc=1.3, start=-math.pi / 2 - .65)
    return F.group("wine", [glass, foil, label, line])


def soap():
    """Amber pump bottle."""
    body = lathe("soap", fillet([(0, .01), (.30, .01, .05), (.31, .85, .12), (.12, 1.0, .05), (.11, 1.06), (0, 1.06)]), F.plastic("#5A2E10", .12, .6), seg=80)
    neck = lathe("neck", fillet([(.0, 1.02), (.14, 1.02, .01), (.14, 1.14, .02), (.05, 1.15, .02), (.045, 1.30), (0, 1.30)]), F.plastic("#15171A", .4), seg=48)
    spout = F.tube("spout", [(0, 0, 1.30), (0, 0, 1.36), (.05, -.05, 1.38), (.20, -.18, 1.37), (.23, -.21, 1.33)], .035, F.plastic("#15171A", .4))
    label = lathe("label", [(.313, .22), (.313, .62)], F.plastic("#E4DDCB", .8), seg=80, arc=2.0, start=-math.pi / 2 - .7)
    return F.group("soap", [body, neck, spout, label])


# ----------------------------------------------------------------- a kitchen


def tile_mat():
    """Handmade white tiles, each with a tone and tilt of its own, in gray joints; UV in units."""
    m = Mat("tile")
    b = m.node("ShaderNodeTexBrick", {"Vector": m.node("ShaderNodeTexCoord").outputs["UV"], "Color1": srgb("#DAD7CE"), "Color2": srgb("#CFCBC0"), "Mortar": srgb("#A8A498"),
                                      "Scale": 1.0, "Mortar Size": .012, "Mortar Smooth": .1, "Brick Width": 1.25, "Row Height": .42})
    h = m.math("ADD", m.math("SUBTRACT", 1.0, b.outputs["Fac"]), m.math("MULTIPLY", m.noise(2.4, 3), .5))
    m.set(Base_Color=b.outputs["Color"], Roughness=m.math("ADD", m.math("MULTIPLY", b.outputs["Fac"], .6), .16), Specular=.5, Normal=m.bump(h, .35, .03))
    return m.m


def panel(name, w, h, loc, mat, rot=(math.pi / 2, 0, 0)):
    """Upright rectangle facing -Y with UV in units."""
    ob = sheet(name, w, h, lambda u, v: ((u - .5) * w, (v - .5) * h, 0), mat, 1, 1)
    ob.modifiers.clear()
    ob.data.polygons[0].use_smooth = False
    ob.location, ob.rotation_euler = loc, rot
    return ob


def kitchen_wall():
    """Stone counter, tiled wall, window with a sill at the left, sink and faucet below it, oak shelf and cabinet at the right."""
    top = rounded_box("counter", (20, 5.0, .34), .03, F.stone_mat())
    top.location = (0, .05, -.17)
    front = rounded_box("cabinets", (20, .2, 6), .02, F.powder_coat("#59614C", .5))
    front.location = (0, -2.2, -3.4)
    y, wood, white = 2.5, F.wood_mat("X"), F.powder_coat("#E2DED2", .5)
    x0, x1, z0, z1 = -6.1, -2.6, 1.05, 4.6       # the window
    for w, h, x, z in ((9, 9, x0 - 4.5, 3.5), (14, 9, x1 + 7, 3.5), (x1 - x0, z0 + 1, (x0 + x1) / 2, (z0 - 1) / 2), (x1 - x0, 5, (x0 + x1) / 2, z1 + 2.5)):
        panel("tiles", w, h, (x, y, z), tile_mat())
    for bx, bw in ((x0, .14), (x1, .14), ((x0 + x1) / 2, .08)):
        rounded_box("frame", (bw, .22, z1 - z0), .01, white).location = (bx, y, (z0 + z1) / 2)
    for bz, bh in ((z0, .14), (z1, .14), ((z0 + z1) / 2 + .1, .07)):
        rounded_box("frame", (x1 - x0, .20, bh), .01, white).location = ((x0 + x1) / 2, y, bz)
    rounded_box("sill", (x1 - x0 + .5, .55, .09), .02, white).location = ((x0 + x1) / 2, y - .18, z0 - .05)
    t = Mat("garden")
    col = t.ramp(t.math("ADD", t.math("MULTIPLY", t.noise(.5, 3, .6), .6), t.math("MULTIPLY", t.noise(2.5, 2), .4)),
                 [(.38, "#5E7446"), (.5, "#9CAE7C"), (.58, "#DDE6D2"), (.7, "#F2F6F4")])
    t.set(Base_Color=(0, 0, 0, 1), Specular=0.0, Emission=col, Emission_Strength=3.2)
    panel("outside", 9, 7, ((x0 + x1) / 2, y + 2.6, 3), t.m)
    sink = rounded_box("sink", (2.3, 1.5, .02), .15, F.steel("#8E8F8E", .32, False))
    sink.location = (-4.3, .55, .0)
    well = rounded_box("well", (2.1, 1.3, .02), .15, F.plastic("#2E2F2F", .35))
    well.location = (-4.3, .55, .006)
    brass = F.steel("#B08D57", .28, False)
    F.tube("faucet", [(-4.3, 1.55, 0), (-4.3, 1.55, 1.0), (-4.3, 1.55, 2.0), (-4.3, 1.5, 2.5), (-4.3, 1.1, 2.75), (-4.3, .7, 2.5), (-4.3, .65, 2.0)], .075, brass)
    foot = lathe("base", fillet([(.0, 0), (.17, 0, .01), (.17, .10, .03), (.08, .14, .02), (0, .14)]), brass, seg=48)
    foot.location = (-4.3, 1.55, 0)
    F.tube("lever", [(-4.2, 1.55, .45), (-4.0, 1.55, .5), (-3.8, 1.5, .62)], .035, brass)
    rounded_box("shelf", (7.0, .9, .12), .02, wood).location = (4.4, y - .45, 3.15)
    for i, x in enumerate((1.7, 2.35, 3.0)):
        d = lathe("bowl", fillet([(0, .02), (.20, .0, .02), (.40, .26, .1), (.42, .40, .01), (.39, .40, .01), (.2, .06, .1), (0, .05)]), ceramic_mat(("#C9C2B2", "#8F957F", "#D8D2C4")[i]), seg=72)
        d.location = (x, y - .5, 3.21)
    pot = lathe("pot", fillet([(0, .0), (.22, .0, .02), (.28, .44, .01), (.25, .44, .01), (.22, .38), (0, .38)]), ceramic_mat("#A8694A"), seg=64)
    pot.location = (-3.1, y - .2, z0)


def toaster():
    """Two-slot toaster of brushed steel, its long side to the front."""
    body = rounded_box("toaster", (1.55, .95, .95), .20, F.steel("#B9B9B6", .26, False), 8)
    body.location.z = .58
    foot = rounded_box("foot", (1.45, .85, .12), .05, F.plastic("#17191B", .5))
    foot.location.z = .07
    slots = [rounded_box("slot", (1.05, .13, .02), .008, F.plastic("#0B0C0D", .6)) for _ in "ab"]
    for s, y in zip(slots, (-.15, .15)):
        s.location = (0, y, 1.056)
    lever = rounded_box("lever", (.10, .22, .09), .03, F.plastic("#17191B", .4))
    lever.location = (.82, 0, .72)
    knob = lathe("knob", fillet([(0, .06), (.09, .06, .015), (.10, 0, .0)]), F.plastic("#17191B", .4), seg=40)
    knob.rotation_euler, knob.location = (math.pi / 2, 0, 0), (.5, -.475, .35)
    return F.group("toaster", [body, foot, lever, knob, *slots])


# ----------------------------------------------------------------- desk


def keyboard():
    """Flat keyboard of aluminum with dark keys."""
    base = rounded_box("base", (3.5, 1.05, .07), .03, F.steel("#A9ABAD", .42, False))
    base.location.z = .045
    parts, dark = [base], F.plastic("#D9D9D6", .5)
    for r in range(5):
        for c in range(14):
            wide = r == 4 and 4 <= c <= 8
            if wide and c != 6:
                continue
            k = rounded_box("key", (1.16 if wide else .205, .165, .035), .014, dark, 2)
            k.location = ((c - 6.5) * .24 + (-.12 if wide else 0), .38 - r * .19, .092)
            parts.append(k)
    return F.group("keyboard", parts)


# ----------------------------------------------------------------- outdoors


@cached
def grass_mat():
    """Blades: light at the tip, darker at the root, some dry."""
    m = Mat("grass")
    tone = m.noise(.9, 4, 0.6)
    col = m.ramp(tone, [(0.3, "#3E4A22"), (0.5, "#65703A"), (0.72, "#9A9658")])
    m.set(Base_Color=col, Roughness=0.55, Specular=0.25)
    tr = m.node("ShaderNodeBsdfTranslucent", {"Color": col})
    mx = m.node("ShaderNodeMixShader", {0: 0.4, 1: m.bsdf.outputs[0], 2: tr.outputs[0]})
    m.nt.links.new(mx.outputs[0], m.out.inputs[0])
    return m.m


def grass(x0, x1, y0, y1, count, seed=1, height=.42):
    """Blades over a rectangle, as one mesh."""
    rnd = F.random.Random(seed)
    verts, faces = [], []
    for _ in range(count):
        x, y = rnd.uniform(x0, x1), rnd.uniform(y0, y1)
        h, w, a, bend = height * rnd.uniform(.5, 1.2), rnd.uniform(.010, .020), rnd.uniform(0, TAU), rnd.uniform(.1, .8)
        dx, dy = math.cos(a), math.sin(a)
        b = len(verts)
        for k in range(5):
            s = k / 4
            ox, z, ww = bend * h * s * s, h * (s - .25 * bend * s * s), w * (1 - s * .95)
            verts += [(x + dx * ox - dy * ww, y + dy * ox + dx * ww, z), (x + dx * ox + dy * ww, y + dy * ox - dx * ww, z)]
        faces += [(b + 2 * k, b + 2 * k + 1, b + 2 * k + 3, b + 2 * k + 2) for k in range(4)]
    return new_object("grass", verts, faces, grass_mat(), auto=None)


def dapple(aim, n=150, spread=2.6, seed=4):
    """Leaves high above that break the sun into spots; the sun must be there already."""
    rnd = F.random.Random(seed)
    sun = next(o for o in bpy.context.scene.objects if o.name == "sun")
    back = -(sun.rotation_euler.to_quaternion() @ Vector((0, 0, -1)))
    verts, faces = [], []
    for _ in range(n):
        c = Vector(aim) + back * rnd.uniform(9, 12) + Vector((rnd.uniform(-spread, spread), rnd.uniform(-spread, spread), rnd.uniform(-1.2, 1.2)))
        if (c - Vector(aim)).cross(back).length < .55:      # the bowl's middle is in the sun
            continue
        e, f = Vector((rnd.gauss(0, 1), rnd.gauss(0, 1), rnd.gauss(0, 1))).normalized(), Vector((rnd.gauss(0, 1), rnd.gauss(0, 1), rnd.gauss(0, 1))).normalized()
        b, ln = len(verts), rnd.uniform(.16, .34)
        verts += [c - e * ln, c + f * ln * .5, c + e * ln, c - f * ln * .5]
        faces.append((b, b + 1, b + 2, b + 3))
    ob = new_object("branches", verts, faces, F.plastic("#2E3A1E", .8), smooth=False)
    ob.visible_camera = ob.visible_glossy = False


def meadow():
    """Ground, a belt of blades, blurred trees far behind, sun from behind left and an open sky."""
    m = Mat("soil")
    m.set(Base_Color=m.ramp(m.noise(1.3, 5, .6), [(0.35, "#3A4424"), (0.7, "#6E7446")]), Roughness=0.95, Specular=0.05)
    g = new_object("ground", [(-30, -12, 0), (30, -12, 0), (30, 30, 0), (-30, 30, 0)], [(0, 1, 2, 3)], m.m, smooth=False)
    grass(-6, 6, 2.0, 9, 16000)
    grass(-8, -2.9, -3, 2.4, 5000, 2)
    grass(2.9, 8, -3, 2.4, 5000, 3)
    t = Mat("trees")
    big, leaf = t.noise(.22, 3, .6), t.noise(1.5, 2, .5)
    f = t.math("ADD", t.math("MULTIPLY", big, .6), t.math("MULTIPLY", leaf, .55))
    col = t.ramp(f, [(0.42, "#2C3826"), (0.55, "#56683F"), (0.64, "#8E9C66"), (0.74, "#E9E9CC")])
    t.set(Base_Color=(0, 0, 0, 1), Specular=0.0, Emission=col, Emission_Strength=.85)
    wall = new_object("trees", [(-30, 22, -1), (30, 22, -1), (30, 22, 16), (-30, 22, 16)], [(0, 1, 2, 3)], t.m, smooth=False)
    F.world_fill("#C9DDF2", 0.85)
    li = bpy.data.lights.new("sun", "SUN")
    li.energy, li.angle, li.color = 4.6, math.radians(1.2), (1, .90, .74)
    sun = bpy.data.objects.new("sun", li)
    bpy.context.collection.objects.link(sun)
    sun.rotation_euler = Vector((.72, -.34, -.62)).to_track_quat("-Z", "Y").to_euler()
    return g, wall
