"""More to put on a table: orchard fruit, produce past its best, cloth, desk things, a meadow."""
import math

import bpy
import scene as F
from scene import TAU, Mat, Vector, cached, fillet, lathe, new_object, noise, rounded_box, srgb

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


@cached
def old_tomato_mat():
    """Dull, darkened skin with brown patches."""
    m = Mat("old tomato")
    col = m.ramp(m.noise(3.0, 4, 0.6), [(0.3, "#561B0E"), (0.55, "#742810"), (0.8, "#8C4A1E")])
    col = m.mix(m.ramp(m.noise(2.1, 2, 0.4), [(0.47, "#000000"), (0.58, "#E8E8E8")]), col, "#2A1C10")
    fuzz = m.ramp(m.noise(2.6, 4, 0.6, vec=m.coords(rot=(1, 2, 0))), [(0.60, "#000000"), (0.68, "#A8A8A8")])
    col = m.mix(fuzz, col, "#A9A893")
    m.set(Base_Color=col, Roughness=0.58, Specular=0.3, Normal=m.bump(m.noise(16, 4), 0.35, 0.02))
    return m.m


def old_tomato(r=0.33, seed=0):
    """Tomato after a warm week: slack, wrinkled, the calyx dry."""
    ob = F.tomato(r, seed)
    sub = ob.modifiers.new("s", "SUBSURF")
    sub.levels = sub.render_levels = 1
    F.apply_modifiers(ob)
    ob.data.materials.clear()
    ob.data.materials.append(old_tomato_mat())
    for p in ob.data.polygons:
        p.use_smooth = True
    shrivel(ob, 0.12, seed, 2.6)
    for v in ob.data.vertices:      # slumped: flat below, one side caved in
        v.co.z = v.co.z * .84 if v.co.z > 0 else v.co.z * .72
        v.co.x *= 1 - .10 * math.exp(-((v.co.x - r * .8) ** 2 + v.co.y ** 2) / (.5 * r * r))
    dry = F.plastic("#5B4A26", 0.85)
    for ch in ob.children:
        ch.data.materials.clear()
        ch.data.materials.append(dry)
        ch.scale = (.8, .8, .5)
    return ob


def old_leaf(seed=0, length=.95):
    """Limp lettuce: yellow, brown at the edge, lying flat."""
    if "old leaf" not in F._cache:
        F._cache["old leaf"] = F.leaf_mat(dark="#5F5A1C", light="#A8993C", rib="#BFAE70")
    return F.leaf(length, .62, .055, .35, seed=seed, mat=F._cache["old leaf"], frills=8)


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
    verts, faces, uvs = [], [], []
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
    k = n + 1
    faces = [(j * k + i, j * k + i + 1, (j + 1) * k + i + 1, (j + 1) * k + i) for j in range(n) for i in range(n)]
    ob = new_object("cloth", verts, faces, mat, auto=None)
    uvl = ob.data.uv_layers.new()
    for lp in ob.data.loops:
        uvl.data[lp.index].uv = uvs[lp.vertex_index]
    s = ob.modifiers.new("thick", "SOLIDIFY")
    s.thickness = 0.012
    return ob


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


# ----------------------------------------------------------------- desk


def laptop(tilt=108):
    """Open notebook computer, screen dark."""
    alu = F.steel("#8E9093", 0.42, False)
    base = rounded_box("base", (3.1, 2.15, .09), .04, alu)
    base.location.z = .065
    dark = F.plastic("#15171A", 0.45)
    verts, faces = [], []
    for r in range(5):
        for c in range(13):
            x, y = (c - 6) * .205, .62 - r * .205
            if r == 4 and 3 <= c <= 9:
                if c != 6:
                    continue
                hw = .70
            else:
                hw = .088
            b = len(verts)
            for z, k in ((.112, 1), (.124, .94)):
                verts += [(x - hw * k, y - .086 * k, z), (x + hw * k, y - .086 * k, z), (x + hw * k, y + .086 * k, z), (x - hw * k, y + .086 * k, z)]
            faces += [(b + 4, b + 5, b + 6, b + 7)] + [(b + q, b + (q + 1) % 4, b + 4 + (q + 1) % 4, b + 4 + q) for q in range(4)]
    keys = new_object("keys", verts, faces, dark, smooth=False)
    pad = rounded_box("pad", (1.1, .62, .004), .002, F.steel("#84868A", 0.35, False))
    pad.location = (0, -.62, .1115)
    lidb = rounded_box("screen back", (3.1, .06, 2.05), .03, alu)
    lidb.location = (0, 0, 1.025)
    glass = new_object("glass", [(-1.5, -.032, .07), (1.5, -.032, .07), (1.5, -.032, 1.99), (-1.5, -.032, 1.99)], [(0, 1, 2, 3)],
                       F.plastic("#060708", 0.12), smooth=False)
    page = F.glow("#E8E6E0", .55)
    ink = F.plastic("#9A9C9A", 0.9)
    parts = [new_object("page", [(-1.05, -.034, .16), (1.05, -.034, .16), (1.05, -.034, 1.99), (-1.05, -.034, 1.99)], [(0, 1, 2, 3)], page,
                        smooth=False)]
    for i, wide in enumerate((.7, 0, 1.5, 1.6, 1.3, 0, 1.55, 1.6, 1.45, .9)):
        z = 1.78 - i * .15
        if wide:
            parts.append(new_object("line", [(-.82, -.036, z), (-.82 + wide, -.036, z), (-.82 + wide, -.036, z + .045), (-.82, -.036, z + .045)],
                                    [(0, 1, 2, 3)], ink, smooth=False))
    screen = F.group("screen", [lidb, glass] + parts, (0, 1.06, .10), (math.radians(90 - tilt), 0, 0))
    return F.group("laptop", [base, keys, pad, screen])


def notebook(hex_="#8A7654"):
    """Cloth-bound notebook with a pencil on it."""
    cover = rounded_box("cover", (1.35, 1.9, .16), .03, F.powder_coat(hex_, 0.8))
    cover.location.z = .08
    pages = rounded_box("pages", (1.33, 1.86, .11), .01, F.plastic("#E9E2D2", 0.9))
    pages.location = (.03, 0, .08)
    pen = lathe("pencil", fillet([(0, 0), (.012, .02), (.038, .16, .01), (.038, 1.5), (0, 1.5)]), F.plastic("#20242A", 0.5), seg=6)
    pen.rotation_euler, pen.location = (math.pi / 2, 0, .5), (.30, .62, .20)
    return F.group("notebook", [cover, pages, pen])


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
