"""Fruit and vegetables in true size beside the bowl: 11.4 in are 2.4 units, so a unit is 12 cm here."""
import math
import random

import bpy
import scene as F
from mathutils import kdtree
from scene import TAU, Mat, Matrix, Vector, cached, grid, lathe, new_object, noise, srgb

GOLDEN = math.pi * (3 - math.sqrt(5))

# ----------------------------------------------------------------- mesh helpers


def smoothstep(a, b, x):
    """0 below a, 1 above b, soft between."""
    t = min(1.0, max(0.0, (x - a) / (b - a)))
    return t * t * (3 - 2 * t)


class Parts:
    """Vertices and faces gathered for one mesh with several materials."""

    def __init__(self):
        self.v, self.f, self.m = [], [], []

    def add(self, verts, faces, mat=0):
        """Append a piece."""
        b = len(self.v)
        self.v += verts
        self.f += [tuple(b + i for i in face) for face in faces]
        self.m += [mat] * len(faces)

    def ball(self, centre, radius, mat=0, axis=(0, 0, 1), stretch=1.0, seg=8, lat=5):
        """Ellipsoid along an axis."""
        q = Vector(axis).to_track_quat("Z", "Y")
        vs = [q @ Vector((math.sin(math.pi * j / lat) * math.cos(TAU * k / seg) * radius,
                          math.sin(math.pi * j / lat) * math.sin(TAU * k / seg) * radius,
                          math.cos(math.pi * j / lat) * radius * stretch)) + Vector(centre)
              for j in range(lat + 1) for k in range(seg)]
        self.add(vs, [(j * seg + k, (j + 1) * seg + k, (j + 1) * seg + (k + 1) % seg, j * seg + (k + 1) % seg)
                      for j in range(lat) for k in range(seg)], mat)

    def pipe(self, pts, r0, r1, mat=0, seg=8):
        """Tapering tube through the points."""
        pts, n = [Vector(p) for p in pts], len(pts)
        vs = []
        for i, p in enumerate(pts):
            q = (pts[min(i + 1, n - 1)] - pts[max(i - 1, 0)]).to_track_quat("Z", "Y")
            r = r0 + (r1 - r0) * i / (n - 1)
            vs += [p + q @ Vector((r * math.cos(TAU * k / seg), r * math.sin(TAU * k / seg), 0)) for k in range(seg)]
        fs = [(i * seg + k, i * seg + (k + 1) % seg, (i + 1) * seg + (k + 1) % seg, (i + 1) * seg + k)
              for i in range(n - 1) for k in range(seg)]
        self.add(vs, fs + [tuple(range(seg))[::-1], tuple((n - 1) * seg + k for k in range(seg))], mat)

    def blade(self, frame, length, width, curl=0.6, mat=0, n=8, cup=0.25, sharp=1.0):
        """Lance-shaped leaflet that leaves the frame's origin along +X and bends up its Z."""
        vs, fs = [], []
        for i in range(n + 1):
            s = i / n
            a = curl * s
            x, z = (length * math.sin(a) / curl, length * (1 - math.cos(a)) / curl) if abs(curl) > .01 else (length * s, 0)
            w = width / 2 * max(math.sin(math.pi * min(1, .14 + .86 * s)) ** sharp, .02)
            vs += [frame @ Vector((x, q * w, z + cup * abs(q) * w)) for q in (-1, 0, 1)]
        for i in range(n):
            fs += [(3 * i + q, 3 * i + q + 1, 3 * i + q + 4, 3 * i + q + 3) for q in (0, 1)]
        self.add(vs, fs, mat)

    def build(self, name, *mats):
        """Link the object."""
        ob = new_object(name, self.v, self.f, mats[0], auto=None)
        for m in mats[1:]:
            ob.data.materials.append(m)
        ob.data.polygons.foreach_set("material_index", self.m)
        return ob


def frame(origin, x_axis, roll=0.0):
    """Matrix at origin whose X axis points along x_axis, Z as far up as it can."""
    return Matrix.Translation(origin) @ Vector(x_axis).to_track_quat("X", "Z").to_matrix().to_4x4() @ Matrix.Rotation(roll, 4, "X")


def copy(ob, loc=(0, 0, 0), rot=(0, 0, 0), scale=1.0):
    """Another object with the same mesh (and the same children)."""
    c = bpy.data.objects.new(ob.name, ob.data)
    bpy.context.collection.objects.link(c)
    for ch in ob.children:
        k = copy(ch, ch.location, ch.rotation_euler)
        k.parent, k.scale = c, ch.scale
    c.location, c.rotation_euler, c.scale = loc, rot, (scale,) * 3
    return c


def kinds(make, n):
    """Endless supply of n different models: each is built once, then copied."""
    made = []

    def take():
        i = take.count
        take.count += 1
        if i < n:
            made.append(make(i))
            return made[i]
        return copy(made[i % n])
    take.count = 0
    return take


@cached
def water():
    """Clear drop; it casts no shadow, since the renderer traces no caustics."""
    m = Mat("water")
    m.set(Base_Color=(1, 1, 1, 1), Roughness=0.0, Transmission=1.0, IOR=1.33, Specular=0.5)
    return m.m


def drops(ob, n, seed=0, size=(.006, .016), up=.25):
    """Water drops on the upper side of an object."""
    bpy.context.view_layer.update()
    rnd, mw, me, p = random.Random(seed), ob.matrix_world, ob.data, Parts()
    faces = [f for f in me.polygons if (mw.to_3x3() @ f.normal).normalized().z > up and f.area > 0]
    for f in rnd.choices(faces, [f.area for f in faces], k=n) if faces else ():
        r, nrm = size[0] + (size[1] - size[0]) * rnd.random() ** 2.5, (mw.to_3x3() @ f.normal).normalized()
        p.ball(mw @ f.center + nrm * r * .12, r, 0, nrm, .58, 14, 8)
    if p.v:
        d = p.build("drops", water())
        d.visible_shadow = False
        return d


# ----------------------------------------------------------------- 37 F


@cached
def strawberry_mat():
    """Glossy red, paler toward the calyx, lit from within."""
    m = Mat("strawberry")
    z = m.node("ShaderNodeSeparateXYZ", {0: m.coords()}).outputs[2]
    f = m.math("ADD", m.math("MULTIPLY", m.noise(16, 3), .05), z)
    shift = m.math("MULTIPLY", m.node("ShaderNodeObjectInfo").outputs["Random"], .035)
    col = m.ramp(m.math("ADD", m.math("SUBTRACT", f, shift), .2), [(.16, "#78060C"), (.28, "#9A0C0E"), (.345, "#B42216"), (.378, "#D99A6C")])
    m.set(Base_Color=col, Roughness=m.ramp(m.noise(30, 2), [(.3, "#343434"), (.7, "#5C5C5C")]), Specular=.5, Subsurface=.18,
          Subsurface_Color=srgb("#D8200E"), Subsurface_Radius=(.06, .014, .010), Normal=m.bump(m.noise(70, 2), .12, .004))
    return m.m


@cached
def seed_mat():
    """Seeds from straw to red-brown."""
    m = Mat("seeds")
    m.set(Base_Color=m.ramp(m.noise(60, 1), [(.35, "#B98A34"), (.6, "#8E4A18")]), Roughness=.4, Specular=.4)
    return m.m


@cached
def sepal_mat(dark="#3F6420", light="#7FA044"):
    """Thin green leaf, half translucent."""
    m = Mat("sepal " + dark)
    col = m.ramp(m.noise(14, 3), [(.3, dark), (.7, light)])
    m.set(Base_Color=col, Roughness=.55, Specular=.3, Normal=m.bump(m.noise(60, 2), .3, .006))
    tr = m.node("ShaderNodeBsdfTranslucent", {"Color": col})
    m.nt.links.new(m.node("ShaderNodeMixShader", {0: .3, 1: m.bsdf.outputs[0], 2: tr.outputs[0]}).outputs[0], m.out.inputs[0])
    return m.m


def strawberry(seed=0, h=.33):
    """Cone with a seed in each dimple, leafy calyx and stem; it hangs along -Z, its middle at the origin."""
    rnd = random.Random(seed)
    r = h * rnd.uniform(.37, .44)
    blunt, skew = rnd.uniform(.55, .8), rnd.uniform(-.14, .14)

    def point(t, a):      # t from the tip 0 to the calyx 1
        k = (math.sin(math.pi / 2 * min(1, t / .74)) ** blunt if t < .74 else 1) * math.sqrt(max(0, 1 - max(0, (t - .74) / .26) ** 2.4))
        k *= 1 + .06 * math.cos(2 * a + seed) + .05 * noise.noise(Vector((math.cos(a) * 1.3, math.sin(a) * 1.3, t * 2 + seed * 5)))
        z = -h / 2 + h * (t - .09 * max(0, (t - .8) / .2) ** 2 * (t > .8))
        return Vector((r * k * math.cos(a) + skew * h * (1 - t) ** 2, r * k * math.sin(a), z))
    spots = [(math.sqrt((i + .6) / 118) * .92 + .02, i * GOLDEN + rnd.uniform(-.12, .12)) for i in range(118)]
    tree = kdtree.KDTree(len(spots))
    for i, (t, a) in enumerate(spots):
        tree.insert(point(t, a), i)
    tree.balance()
    nu, nv, p = 110, 84, Parts()
    mid = Vector((0, 0, .05 * h))
    vs = []
    for j in range(nv + 1):
        for i in range(nu):
            q = point(max(j / nv, .002) ** 1.25, TAU * i / nu)
            d = tree.find(q)[2]
            vs.append(q - (q - mid).normalized() * (.0105 * math.exp(-(d / .0125) ** 2) - .003 * smoothstep(.012, .022, d)))
    p.add(vs, [(j * nu + i, j * nu + (i + 1) % nu, (j + 1) * nu + (i + 1) % nu, (j + 1) * nu + i) for j in range(nv) for i in range(nu)])
    for t, a in spots:
        q = point(t, a)
        n = (q - mid).normalized()
        p.ball(q - n * .0065, .0052, 1, (point(min(t + .03, 1), a) - q), 1.65, 7, 5)
    top = point(1, 0)
    top.x = top.y = 0
    for i in range(rnd.randint(8, 11)):
        a = i * GOLDEN + rnd.uniform(-.2, .2)
        d = Vector((math.cos(a), math.sin(a), rnd.uniform(.0, .6)))
        p.blade(frame(top + Vector((0, 0, .002)), d), r * rnd.uniform(.75, 1.15), r * rnd.uniform(.34, .46), rnd.uniform(-1.2, 1.0), 2)
    b = rnd.uniform(-.06, .06)
    p.pipe([top, top + Vector((0, 0, .035)), top + Vector((b * .5, .01, .08)), top + Vector((b * 1.6, .02, rnd.uniform(.11, .17)))], .0085, .006, 2)
    return p.build("strawberry", strawberry_mat(), seed_mat(), sepal_mat())


@cached
def grape_mat(kind):
    """Translucent skin under a dusty bloom."""
    m = Mat(kind + " grape")
    deep, mid, light = {"green": ("#7C8A30", "#97A443", "#B5B862"), "red": ("#26060E", "#45101C", "#6E2628")}[kind]
    rnd = m.node("ShaderNodeObjectInfo").outputs["Random"]
    base = m.ramp(m.math("ADD", m.math("MULTIPLY", m.noise(7, 3), .8), m.math("MULTIPLY", rnd, .25)), [(.3, deep), (.52, mid), (.75, light)])
    bloom = m.ramp(m.noise(3.2, 3, .5), [(.40, "#080808"), (.75, "#4C4C4C" if kind == "red" else "#3A3A3A")])
    m.set(Base_Color=m.mix(bloom, base, "#A7A3B4" if kind == "red" else "#CDD2B4"), Roughness=m.math("ADD", m.math("MULTIPLY", bloom, .8), .17),
          Specular=.5, Subsurface=.28, Subsurface_Color=srgb("#B8BE4E" if kind == "green" else "#7A1626"),
          Subsurface_Radius=(.09, .08, .03) if kind == "green" else (.06, .012, .016), Normal=m.bump(m.noise(40, 2), .03, .004))
    return m.m


@cached
def stalk_mat(dark="#5C6A2A", light="#93A04E"):
    """Woody green stems."""
    m = Mat("stalk " + dark)
    m.set(Base_Color=m.ramp(m.noise(9, 4), [(.3, dark), (.7, light)]), Roughness=.65, Specular=.25, Normal=m.bump(m.noise(50, 3), .4, .008))
    return m.m


def grapes(kind="green", n=58, size=(.44, .26, .21), r=.078, seed=0):
    """Cluster lying along X, its stem coming out at +X; it rests on z = 0."""
    rnd = random.Random(seed)
    pts = []
    for _ in range(n):
        a, b, c = rnd.gauss(0, .5), rnd.uniform(0, TAU), math.sqrt(rnd.random())
        x = max(-1, min(1, a))
        k = math.sqrt(1 - x * x) * (1 + .25 * x)
        pts.append([Vector((x * size[0], size[1] * k * c * math.cos(b), size[2] * k * c * math.sin(b))), r * rnd.uniform(.88, 1.08)])
    for _ in range(90):      # push the berries apart, then back toward the stem and onto the table
        for i in range(n):
            for j in range(i):
                d = pts[i][0] - pts[j][0]
                gap = (pts[i][1] + pts[j][1]) * .97 - d.length
                if gap > 0:
                    d = d.normalized() * gap * .5
                    pts[i][0] += d
                    pts[j][0] -= d
        for q in pts:
            q[0].y *= .985
            q[0].z = max(q[1] - size[2], q[0].z - .006)
    stem = [Vector((-size[0] * .9, 0, -.02)), Vector((-.1, .03, .02)), Vector((size[0] * .6, -.02, .03)),
            Vector((size[0] + .16, .0, .06)), Vector((size[0] + .30, .05, .07))]
    s = Parts()
    s.pipe(stem, .010, .019)
    s.pipe([stem[-1] + Vector((-.02, -.07, -.03)), stem[-1], stem[-1] + Vector((.025, .08, .02))], .017, .015)
    rail = [stem[i].lerp(stem[i + 1], k / 6) for i in range(3) for k in range(6)]
    models = {}
    obs = []
    for i, (q, rr) in enumerate(pts):
        near = min(rail, key=lambda p: (p - q).length + .35 * abs(p.x - q.x - .08))
        axis = (q - near).normalized()
        tip = q - axis * rr * 1.06
        s.pipe([near, near.lerp(tip, .5) + Vector((.012, 0, .008)), tip], .0065, .0055, seg=6)
        s.ball(tip, .010, 0, axis, .7)
        key = i % 5
        if key not in models:
            g = Parts()
            seg, lat, e = 28, 18, rnd.uniform(1.06, 1.2)
            for k in range(lat + 1):
                t = math.pi * k / lat
                for u in range(seg):
                    a = TAU * u / seg
                    w = 1 + .035 * noise.noise(Vector((math.cos(a) * math.sin(t), math.sin(a) * math.sin(t), math.cos(t) + 9 * key)))
                    g.v.append(Vector((math.sin(t) * math.cos(a) * w, math.sin(t) * math.sin(a) * w, math.cos(t) * e * w)))
            g.f = [(k * seg + u, (k + 1) * seg + u, (k + 1) * seg + (u + 1) % seg, k * seg + (u + 1) % seg) for k in range(lat) for u in range(seg)]
            g.m = [0] * len(g.f)
            g.ball((0, 0, e * .985), .055, 1, stretch=.4)
            models[key] = ob = g.build("grape", grape_mat(kind), F.plastic("#4A3A22", .8))
        else:
            ob = copy(models[key])
        ob.location, ob.scale = q, (rr,) * 3
        ob.rotation_euler = axis.to_track_quat("Z", "Y").to_euler()
        obs.append(ob)
    obs.append(s.build("stem", stalk_mat("#6E6A34", "#A0A058")))
    for ob in obs:
        ob.location.z += size[2]
    return F.group("grapes", obs)


@cached
def broccoli_mat():
    """Blue-green buds, lighter in the gaps and toward the stalk."""
    m = Mat("broccoli")
    z = m.node("ShaderNodeSeparateXYZ", {0: m.coords()}).outputs[2]
    rnd = m.node("ShaderNodeObjectInfo").outputs["Random"]
    f = m.math("ADD", m.math("ADD", z, m.math("MULTIPLY", m.noise(18, 3), .12)), m.math("MULTIPLY", rnd, .05))
    m.set(Base_Color=m.ramp(f, [(.02, "#9DAE62"), (.09, "#667F3C"), (.15, "#41602C"), (.26, "#34522C")]), Roughness=.62, Specular=.28,
          Subsurface=.08, Subsurface_Color=srgb("#5E8A2C"), Subsurface_Radius=(.02, .03, .01))
    return m.m


def broccoli(r=.42, seed=0, mat=None):
    """Head of florets on a thick pale stalk that ends at z = 0; the head's top is at about 1.6 r."""
    rnd = random.Random(seed)

    def floret(k):
        p, rr = Parts(), .165
        n = 330
        for i in range(n):
            c = 1 - 1.25 * (i + .5) / n
            a, s = i * GOLDEN, math.sqrt(max(0, 1 - c * c))
            d = Vector((s * math.cos(a), s * math.sin(a), c))
            bump = 1 + .16 * noise.noise(d * 2.6 + Vector((k * 9, seed, 0))) + .07 * noise.noise(d * 6 + Vector((k, 0, 3)))
            q = Vector((d.x * rr * bump, d.y * rr * bump, d.z * rr * .86 * bump))
            p.ball(q, rnd.uniform(.0105, .0155), 0, d, 1.1, 6, 4)
        p.ball((0, 0, 0), rr * .93, 0, stretch=.82, seg=20, lat=12)
        return p.build("floret", mat or broccoli_mat())
    take = kinds(floret, 4)
    s, obs = Parts(), []
    fork = Vector((0, 0, r * .55))
    s.pipe([(0, 0, 0), (.01, 0, r * .3), fork], r * .30, r * .33, 0, 14)
    n = 19
    for i in range(n):
        c = 1 - .98 * (i + .4) / n
        a, ss = i * GOLDEN + seed, math.sqrt(1 - c * c)
        d = Vector((ss * math.cos(a), ss * math.sin(a), c * .85 + .12)).normalized()
        q = fork + Vector((d.x * r * .76, d.y * r * .76, d.z * r * .72)) * rnd.uniform(.94, 1.06)
        s.pipe([fork - Vector((0, 0, r * .15)), fork.lerp(q, .45) - Vector((0, 0, .02)), q], r * .15, r * .10, 0, 10)
        ob = take()
        ob.location, ob.scale = q, (r / .42 * rnd.uniform(.82, 1.12),) * 3
        ob.rotation_euler = d.to_track_quat("Z", "Y").to_euler()
        ob.rotation_euler.rotate_axis("Z", rnd.uniform(0, TAU))
        obs.append(ob)
    obs.append(s.build("stalk", stalk_mat("#8EA257", "#B9C68A")))
    return F.group("broccoli", obs)


@cached
def carrot_mat():
    """Orange with fine cross lines, green at the crown."""
    m = Mat("carrot")
    z = m.node("ShaderNodeSeparateXYZ", {0: m.coords()}).outputs[2]
    rings = m.noise(1.0, 4, .7, vec=m.coords(scale=(2.5, 2.5, 44)))
    col = m.ramp(m.noise(4, 3), [(.3, "#BE4E0C"), (.7, "#DB7420")])
    col = m.mix(m.ramp(rings, [(.54, "#000000"), (.66, "#B0B0B0")]), col, "#7A3A12")
    crown = m.node("ShaderNodeMapRange", {0: z, 1: -.05, 2: .0, 3: 0.0, 4: .8}).outputs[0]
    m.set(Base_Color=m.mix(crown, col, "#7E8A3A"), Roughness=.5, Specular=.38, Subsurface=.15, Subsurface_Color=srgb("#E8701A"),
          Subsurface_Radius=(.05, .02, .008), Normal=m.bump(rings, .6, .016))
    return m.m


def carrot(length=1.15, r=.115, seed=0, tops=.75):
    """Root along -Z with its crown at the origin and feathery leaves above."""
    rnd = random.Random(seed)
    prof = [(0.0, -length)]
    for i in range(1, 60):
        t = i / 59
        k = (t ** .30) * (.50 + .50 * t) * (1 - .35 * smoothstep(.93, 1, t) - .5 * smoothstep(.985, 1, t))
        prof.append((r * k + .004, -length * (1 - t)))
    prof.append((0.0, .0))
    ob = F._spin_organic("carrot", prof, carrot_mat(), lobes=3, lobe=.02, wobble=.0, seed=seed, seg=48)
    for v in ob.data.vertices:
        t = -v.co.z / length
        w = 1 + .05 * noise.noise(Vector((0, seed, v.co.z * 9)))
        v.co.x = v.co.x * w + .05 * math.sin(2.2 * t + seed) * t
        v.co.y = v.co.y * w + .05 * math.cos(1.7 * t + seed * 2) * t
    p = Parts()
    for i in range(7 if tops else 0):
        a, ln = i * GOLDEN, tops * rnd.uniform(.65, 1)
        out = Vector((math.cos(a), math.sin(a), 0))
        bend = rnd.uniform(.15, .5)
        path = [Vector((0, 0, -.01)) + out * (.02 + bend * ln * (k / 10) ** 2) + Vector((0, 0, ln * (k / 10) * (1 - .25 * bend * k / 10))) for k in range(11)]
        p.pipe(path, .012, .004, 0, 7)
        for k in range(3, 11):
            for side in (-1, 1):
                tdir = (path[k] - path[k - 1]).normalized()
                d = (tdir * .6 + tdir.cross(Vector((side * .3, .5 * side, 1))).normalized() * side * .8 + Vector((0, 0, rnd.uniform(-.2, .2)))).normalized()
                m = ln * .34 * (1.15 - k / 11) + .05
                p.pipe([path[k], path[k] + d * m], .004, .002, 0, 4)
                for q in range(1, 7):
                    for s2 in (-1, 1):
                        o = path[k] + d * m * q / 6
                        e = (d * .7 + d.cross(Vector((rnd.uniform(-.6, .6), rnd.uniform(-.6, .6), 1))).normalized() * s2 * .8).normalized()
                        p.blade(frame(o, e), .055 * rnd.uniform(.7, 1.2), .020, rnd.uniform(-.5, .8), 1, 3)
    if tops:
        top = p.build("tops", stalk_mat("#6C8434", "#9AAE58"), sepal_mat("#2F5A1A", "#5F8A34"))
        top.parent = ob
    return ob


@cached
def butter_mat(dark="#5E8A2A", light="#A9BF58", rib="#DCE3B0", old=0.0):
    """Butter lettuce: UV x runs across, y along the leaf; branching veins, puckers between them, half translucent."""
    m = Mat("butter " + dark)
    uv = m.node("ShaderNodeTexCoord").outputs["UV"]
    sep = m.node("ShaderNodeSeparateXYZ", {0: uv})
    x, y = sep.outputs[0], sep.outputs[1]
    ax = m.math("ABSOLUTE", m.math("SUBTRACT", x, .5))
    wob = m.math("MULTIPLY", m.math("SUBTRACT", m.noise(5, 2, vec=uv), .5), .9)
    ph = m.math("ADD", m.math("SUBTRACT", m.math("MULTIPLY", y, 6.5), m.math("MULTIPLY", m.math("POWER", ax, .8), 7.0)), wob)
    tri = m.math("ABSOLUTE", m.math("SUBTRACT", m.math("FRACT", ph), .5))       # 0 on a side vein
    side = m.node("ShaderNodeMapRange", {0: tri, 1: .0, 2: m.math("MULTIPLY", m.math("SUBTRACT", .62, ax), .10), 3: 1.0, 4: 0.0}).outputs[0]
    net = m.node("ShaderNodeTexVoronoi", {"Scale": 17.0, "Vector": uv}, feature="DISTANCE_TO_EDGE").outputs["Distance"]
    fine = m.node("ShaderNodeMapRange", {0: net, 1: .0, 2: .09, 3: .7, 4: 0.0}).outputs[0]
    mid = m.node("ShaderNodeMapRange", {0: ax, 1: .0, 2: m.math("MULTIPLY", m.math("SUBTRACT", 1.12, y), .055), 3: 1.0, 4: 0.0}).outputs[0]
    base = m.node("ShaderNodeMapRange", {0: y, 1: .0, 2: .5, 3: .9, 4: 0.0}).outputs[0]
    green = m.ramp(m.math("ADD", m.math("MULTIPLY", m.noise(3.2, 4, .6), .8), m.math("MULTIPLY", y, .35)), [(.42, light), (.85, dark)])
    veins = m.math("MAXIMUM", mid, m.math("MAXIMUM", m.math("MULTIPLY", side, .8), m.math("MULTIPLY", fine, .35)))
    col = m.mix(m.math("MAXIMUM", m.math("MULTIPLY", veins, .8), base), green, rib)
    if old:
        edge = m.math("ADD", m.math("MULTIPLY", ax, 1.6), m.math("MULTIPLY", m.noise(4, 4), .7))
        col = m.mix(m.ramp(edge, [(.62, "#000000"), (.92, (old,) * 3 + (1,))]), col, "#4A3A16")
    pucker = m.math("SUBTRACT", m.math("MULTIPLY", m.math("MINIMUM", net, .16), 5.0), m.math("MULTIPLY", side, .9))
    bump = m.bump(m.math("ADD", pucker, m.math("MULTIPLY", m.noise(40, 3), .25)), .55, .018)
    m.set(Base_Color=col, Roughness=m.ramp(m.noise(8, 3), [(.3, "#606060"), (.7, "#858585")]), Specular=.35, Normal=bump)
    tr = m.node("ShaderNodeBsdfTranslucent", {"Color": m.mix(.3, col, "#D4E870"), "Normal": bump})
    m.nt.links.new(m.node("ShaderNodeMixShader", {0: .42, 1: m.bsdf.outputs[0], 2: tr.outputs[0]}).outputs[0], m.out.inputs[0])
    return m.m


def butter_leaf(length=.9, width=.95, cup=.5, curl=1.2, seed=0, mat=None, wave=.06, wilt=0.0):
    """A round, cupped leaf with a softly waving edge: grows along +Y and bends up; wilt lets it crumple."""
    rnd = random.Random(seed)
    nu, nv = 100, 110
    ph = [rnd.uniform(0, TAU) for _ in range(4)]
    verts, uvs = [], []
    for j in range(nv + 1):
        t = 1 - (1 - j / nv) ** 1.4
        half = width / 2 * (.20 + .80 * math.sin(math.pi / 2 * min(1, t / .60)) ** 1.2)
        half *= math.sqrt(max(0.0, 1 - (max(0, t - .60) / .40) ** 2.3)) if t < 1 else 0.004
        ang = curl * t ** 1.15
        cy, cz = length * math.sin(ang) / curl, length * (1 - math.cos(ang)) / curl
        nrm, up = Vector((0, -math.sin(ang), math.cos(ang))), Vector((0, math.cos(ang), math.sin(ang)))
        for i in range(nu + 1):
            u = -1 + 2 * i / nu
            th = math.atan2(u * half, (t - .45) * length)
            edge = max(abs(u) ** 2 * (.3 + .7 * smoothstep(0, .3, t)), smoothstep(.72, 1, t))
            puck = noise.noise(Vector((u * half * 6.5, t * length * 6.5, seed * 2.3)))
            puck += .5 * noise.noise(Vector((u * half * 13, t * length * 13, seed * 4.1)))
            d = cup * half * u * u * .8 + .028 * puck * (.35 + .65 * edge)
            d += wave * edge ** 1.5 * (math.sin(4 * th + ph[0] + 1.6 * noise.noise(Vector((th * 1.3, seed, 0)))) + .3 * math.sin(9 * th + ph[1] + 2 * noise.noise(Vector((th, seed, 7)))))
            d -= .022 * math.exp(-(u * half / .03) ** 2) * (1 - t)
            roll = .02 * edge ** 3 * math.sin(8 * th + ph[2])
            if wilt:
                d += wilt * (.16 * noise.noise(Vector((u * 2.2, t * 2.6, seed))) + .07 * noise.noise(Vector((u * 6, t * 7, seed + 5))))
            verts.append(Vector((u * half * (1 - .16 * cup * u * u - wilt * .3), cy, cz)) + nrm * d + up * roll * math.cos(th))
            uvs.append(((u * half / width) + .5, t))
    return grid("leaf", verts, uvs, nu, mat or butter_mat())


def lettuce(r=.55, seed=0, wet=22):
    """Head of butter lettuce: rosettes of leaves, pale and closed inside; it sits on z = 0."""
    rnd = random.Random(seed)
    inner, core = butter_mat("#8FB04A", "#C3CE7A", "#E6EAC4"), butter_mat("#B9C96E", "#DCDF9E", "#EEF0D4")
    obs = []
    for ring, (n, rise, curl, ln, mat) in enumerate(((3, .75, 2.3, .95, core), (4, .62, 1.9, 1.1, inner), (5, .42, 1.55, 1.3, inner), (6, .16, 1.1, 1.45, None),
                                                     (6, -.02, .75, 1.5, None))):
        for i in range(n):
            a = TAU * (i + .5 * (ring % 2)) / n + rnd.uniform(-.25, .25)
            size = ln * r * rnd.uniform(.93, 1.07)
            lf = butter_leaf(size, size * rnd.uniform(1.0, 1.14), .62 - .08 * ring, curl * rnd.uniform(.9, 1.1), seed * 31 + ring * 7 + i, mat, .022 + .010 * ring)
            lf.rotation_euler = (rise + rnd.uniform(-.06, .06), 0, a - math.pi / 2)
            lf.location = (.03 * (ring + .5) * math.cos(a), .03 * (ring + .5) * math.sin(a), .10 - .018 * ring)
            obs.append(lf)
    if wet:
        obs += [d for d in (drops(o, wet // 3 + 2, i, (.006, .017), .2) for i, o in enumerate(obs[7:])) if d]
    return F.group("lettuce", obs)


@cached
def fig_mat():
    """Purple-black with pale lengthwise ribs, green at the neck, bloom all over."""
    m = Mat("fig")
    z = m.node("ShaderNodeSeparateXYZ", {0: m.coords()}).outputs[2]
    streak = m.noise(1.0, 4, .65, vec=m.coords(scale=(24, 24, 2.0)))
    col = m.ramp(streak, [(.35, "#1C1020"), (.6, "#3A1E38"), (.8, "#6A4058")])
    neck = m.math("ADD", z, m.math("MULTIPLY", streak, .12))
    col = m.mix(m.ramp(neck, [(.16, "#000000"), (.34, "#C0C0C0")]), col, "#6E7A34")
    bloom = m.ramp(m.noise(6, 5, .6), [(.45, "#000000"), (.8, "#585858")])
    m.set(Base_Color=m.mix(bloom, col, "#A89DB2"), Roughness=.5, Specular=.35, Subsurface=.1, Subsurface_Color=srgb("#5A2038"),
          Subsurface_Radius=(.04, .012, .02), Normal=m.bump(streak, .22, .01))
    return m.m


def fig(r=.20, seed=0):
    """Drop-shaped fig with ribs and a short stem; its middle is at the origin."""
    prof = []
    for i in range(49):
        t = -math.pi / 2 + math.pi * i / 48
        s = (math.sin(t) + 1) / 2
        rr = r * math.cos(t) ** .75 * (1 - .74 * smoothstep(.35, 1.0, s)) * 1.06 if 0 < i < 48 else 0.0
        prof.append((max(rr, 0.0), r * (1.12 * math.sin(t) + .35 * s * s) - (.02 * math.exp(-(rr / .05) ** 2) * -1 if t < 0 else 0)))
    ob = F._spin_organic("fig", prof, fig_mat(), lobes=11, lobe=.012, wobble=.07, seed=seed, seg=88)
    z = prof[-1][1]
    stem = F.tube("stem", [(0, 0, z - .02), (.002, 0, z + .01), (.006, 0, z + .025), (.012, .004, z + .042)], r * .11, stalk_mat("#5A6428", "#8A8C48"))
    stem.parent = ob
    return ob


# ----------------------------------------------------------------- past their best


def tinted(mat, hex_, amount):
    """Copy of a material whose color is drawn toward another."""
    c = mat.copy()
    nt, bsdf = c.node_tree, c.node_tree.nodes["Principled BSDF"]
    mx = nt.nodes.new("ShaderNodeMixRGB")
    mx.inputs[0].default_value, mx.inputs[2].default_value = amount, srgb(hex_)
    nt.links.new(bsdf.inputs["Base Color"].links[0].from_socket, mx.inputs[1])
    nt.links.new(mx.outputs[0], bsdf.inputs["Base Color"])
    return c


@cached
def mold_mat():
    """Gray-white fur."""
    m = Mat("mold")
    m.set(Base_Color=m.ramp(m.noise(12, 3), [(.3, "#8E8F88"), (.7, "#C9CAC2")]), Roughness=1.0, Specular=0.0, Sheen=.6)
    return m.m


def old_strawberry(seed=0):
    """Slumped, dark strawberry; gray mold grows on one side."""
    ob = strawberry(seed + 40, .31)
    if "old strawberry" not in F._cache:
        F._cache["old strawberry"] = tinted(strawberry_mat(), "#4A0E12", .62)
        F._cache["old sepal"] = sepal_mat("#4E4420", "#8A7A44")
    ob.data.materials[0], ob.data.materials[2] = F._cache["old strawberry"], F._cache["old sepal"]
    for v in ob.data.vertices:
        c = v.co
        v.co = c * (1 + .10 * noise.noise(c * 7 + Vector((seed, 0, 0))) + .04 * noise.noise(c * 22))
        v.co.y *= .84
    rnd, p = random.Random(seed), Parts()
    spot = Vector((rnd.uniform(-.6, .6), rnd.choice((-1, 1)), rnd.uniform(-.5, .3))).normalized() if seed % 3 else Vector((0, 1, 0))
    for f in ob.data.polygons:
        if f.material_index:
            continue
        d = (f.center.normalized() - spot).length + .35 * noise.noise(f.center * 16)
        for _ in range(2):
            if d < .85 and rnd.random() < (1 - d / .85) ** .7:
                e = (f.normal + Vector((rnd.uniform(-.9, .9), rnd.uniform(-.9, .9), rnd.uniform(-.9, .9)))).normalized()
                ln = rnd.uniform(.010, .030) * (1.2 - d)
                q, w = f.center, e.orthogonal().normalized() * .0011
                p.add([q - w, q + w, q + e * ln + w * .4, q + e * ln - w * .4], [(0, 1, 2, 3)])
                if rnd.random() < .4:
                    p.ball(q + e * ln, .0022, 0, seg=4, lat=2)
    if p.v:
        p.build("mold", mold_mat()).parent = ob
    return ob


def bend(ob, angle):
    """Bend a root along -Z sideways by an angle over its length, as limp ones do."""
    zs = [v.co.z for v in ob.data.vertices]
    ln = max(zs) - min(zs)
    for v in ob.data.vertices:
        a, x = angle * (-v.co.z / ln), v.co.x
        k = ln / angle
        v.co.x, v.co.z = k * (1 - math.cos(a)) + x * math.cos(a), -k * math.sin(a) + x * math.sin(a)
    return ob


# ----------------------------------------------------------------- 50 F


@cached
def basil_mat():
    """Glossy, puffed between the veins: UV x across, y along."""
    m = Mat("basil")
    sep = m.node("ShaderNodeSeparateXYZ", {0: m.node("ShaderNodeTexCoord").outputs["UV"]})
    x, y = sep.outputs[0], sep.outputs[1]
    ax = m.math("ABSOLUTE", m.math("SUBTRACT", x, .5))
    ph = m.math("SUBTRACT", m.math("MULTIPLY", y, 6.0), m.math("MULTIPLY", ax, 5.0))
    tri = m.math("ABSOLUTE", m.math("SUBTRACT", m.math("FRACT", ph), .5))
    vein = m.node("ShaderNodeMapRange", {0: m.math("MINIMUM", tri, m.math("MULTIPLY", ax, 3.0)), 1: .0, 2: .09, 3: 1.0, 4: 0.0}).outputs[0]
    col = m.mix(m.math("MULTIPLY", vein, .35), m.ramp(m.noise(6, 3), [(.3, "#2C5A1A"), (.7, "#4C7E28")]), "#86A850")
    bump = m.bump(m.math("ADD", m.math("POWER", m.math("MULTIPLY", tri, 2.0), .6), m.math("MULTIPLY", m.noise(30, 2), .12)), .5, .012)
    m.set(Base_Color=col, Roughness=.36, Specular=.45, Normal=bump)
    tr = m.node("ShaderNodeBsdfTranslucent", {"Color": m.mix(.4, col, "#A8D040"), "Normal": bump})
    m.nt.links.new(m.node("ShaderNodeMixShader", {0: .3, 1: m.bsdf.outputs[0], 2: tr.outputs[0]}).outputs[0], m.out.inputs[0])
    return m.m


def basil(seed=0, size=.42, pairs=4):
    """Sprig along +Z: crossing pairs of spoon-shaped leaves, larger below."""
    rnd = random.Random(seed)
    s, obs, nu, nv = Parts(), [], 14, 22
    s.pipe([(0, 0, -.1), (.01, 0, .10 * pairs * .5), (0, .01, .10 * pairs)], .014, .009)
    for k in range(pairs):
        for side in (0, 1):
            ln = size * (1 - .17 * k) * rnd.uniform(.85, 1.1)
            verts, uvs = [], []
            curl = rnd.uniform(-.9, -.3)
            for j in range(nv + 1):
                t = j / nv
                w = ln * .38 * math.sin(math.pi * min(1, .06 + .94 * t)) ** .72 * (1.15 - .35 * t)
                a = curl * t
                x, z = ln * math.sin(a) / curl, ln * (1 - math.cos(a)) / curl
                for i in range(nu + 1):
                    u = -1 + 2 * i / nu
                    puff = .035 * ln * abs(math.sin(math.pi * (6 * t - 2.5 * abs(u)))) * (1 - u * u) ** .5
                    verts.append(Vector((x, u * w, z + puff - .30 * w * u * u + .02 * noise.noise(Vector((u * 2, t * 4, seed + k))))))
                    uvs.append(((u + 1) / 2, t))
            lf = grid("basil leaf", verts, uvs, nu, basil_mat())
            lf.rotation_mode = "XYZ"
            lf.rotation_euler = (rnd.uniform(-.2, .2), -rnd.uniform(.15, .6) - .15 * k, side * math.pi + k * math.pi / 2 + rnd.uniform(-.3, .3))
            lf.location = (0, 0, .10 * (k + .6))
            obs.append(lf)
    obs.append(s.build("basil stem", stalk_mat("#5A7A30", "#88A050")))
    return F.group("basil", obs)


@cached
def rind_mat():
    """Cantaloupe rind: corky net over gray-green."""
    m = Mat("rind")
    warp = m.node("ShaderNodeVectorMath", {0: m.coords(), 1: m.node("ShaderNodeTexNoise", {"Scale": 5.0, "Vector": m.coords()}).outputs["Color"]},
                  operation="MULTIPLY_ADD")
    warp.inputs[1].default_value, warp.inputs[2].default_value = (1, 1, 1), (0, 0, 0)
    d = m.node("ShaderNodeTexVoronoi", {"Scale": 11.0, "Vector": m.coords()}, feature="DISTANCE_TO_EDGE").outputs["Distance"]
    net = m.node("ShaderNodeMapRange", {0: m.math("ADD", d, m.math("MULTIPLY", m.noise(30, 3), .06)), 1: .05, 2: .13, 3: 1.0, 4: 0.0}).outputs[0]
    m.set(Base_Color=m.mix(net, m.ramp(m.noise(5, 3), [(.3, "#8A8A4E"), (.7, "#B0A066")]), "#CFC09A"), Roughness=.75, Specular=.2,
          Normal=m.bump(net, .7, .02))
    return m.m


@cached
def flesh_mat(r, rind=.045):
    """Orange flesh, green under the rind, wet."""
    m = Mat("flesh %.3f" % r)
    ln = m.node("ShaderNodeVectorMath", {0: m.coords()}, operation="LENGTH").outputs["Value"]
    f = m.math("ADD", ln, m.math("MULTIPLY", m.math("SUBTRACT", m.noise(14, 3), .5), .03))
    col = m.ramp(m.math("DIVIDE", f, r), [(.50, "#D2783C"), (.78, "#DB8E50"), (.90, "#E0AC6C"), (.955, "#BDBE80"), (.99, "#7C8A48")])
    m.set(Base_Color=col, Roughness=m.ramp(m.noise(22, 3), [(.3, "#303030"), (.7, "#707070")]), Specular=.5, Subsurface=.25,
          Subsurface_Color=srgb("#E89858"), Subsurface_Radius=(.06, .035, .018), Normal=m.bump(m.noise(34, 4, .6), .22, .012))
    return m.m


def melon_wedge(r=.62, arc=.62, seed=0):
    """Slice of cantaloupe standing on its rind: a boat along Y, its cut faces up."""
    n, prof = 40, []
    for i in range(n + 1):
        t = -math.pi / 2 + math.pi * i / n
        prof.append((r * math.cos(t), r * 1.05 * math.sin(t)))
    inner = [(r * .50 * math.cos(t) + .01, r * .72 * math.sin(t)) for t in (math.pi / 2 - math.pi * i / n for i in range(n + 1))]
    ob = lathe("melon", [(0.0, prof[0][1])] + prof[1:-1] + [(0.0, prof[-1][1])] + inner + [(0.0, prof[0][1])], rind_mat(), seg=150, arc=arc,
               start=-arc / 2, cap_mat=flesh_mat(r))
    for p in ob.data.polygons:      # what lies inside the rind is flesh
        c = p.center
        if Vector((c.x, c.y, c.z / 1.05)).length < r * .93:
            p.material_index = 1
    ob.rotation_mode = "YXZ"
    return ob


# ----------------------------------------------------------------- filling


def heap(obs, radii, centre=(0, 0), spread=.8, floor=.62, wall=1.06, avoid=(), seed=0, steps=160, tight=.92, dome=0.0):
    """Piles objects as spheres of the given radii: pulled down and together, pushed apart, within a round wall and outside of
    the avoided spheres ((x, y, z, r), …). Poses are random; returns the objects."""
    import numpy as np
    g = np.random.default_rng(seed)
    n, r = len(obs), np.array(radii, float)
    a, d = g.uniform(0, TAU, n), spread * np.sqrt(g.random(n))
    p = np.stack([centre[0] + d * np.cos(a), centre[1] + d * np.sin(a), floor + r + np.arange(n) / n * 1.1], 1)
    av = np.array(avoid, float).reshape(-1, 4)
    for k in range(steps):
        p[:, 2] -= .02 if k < steps * .8 else .004
        p[:, :2] += (np.array(centre) - p[:, :2]) * (.010 if k < steps * .8 else 0)
        for _ in range(3):
            v = p[:, None] - p[None]
            dist = np.linalg.norm(v, axis=2) + np.eye(n) * 9
            over = np.maximum((r[:, None] + r[None]) * tight - dist, 0)
            p += (v / np.maximum(dist, 1e-6)[..., None] * over[..., None] * .45).sum(1)
            for q in av:
                w = p - q[:3]
                l = np.linalg.norm(w, axis=1)
                p += w / np.maximum(l, 1e-6)[:, None] * np.maximum(q[3] + r * .85 - l, 0)[:, None]
            rho = np.hypot(p[:, 0], p[:, 1])
            if wall:
                p[:, :2] *= np.minimum(1, (wall - r) / np.maximum(rho, 1e-6))[:, None]
            p[:, 2] = np.maximum(p[:, 2], floor + r + dome * (1 - np.minimum(rho / (wall or 9), 1) ** 2))
    for ob, q in zip(obs, p):
        ob.location, ob.rotation_mode = q, "XYZ"
        ob.rotation_euler = (g.uniform(-1.9, 1.9), g.uniform(-1.9, 1.9), g.uniform(0, TAU))
    return obs


def mound(z0=.62, z1=.86, colour=None):
    """Body under a filling that need not be modelled, of the bowl's steel unless a color is named; the wall does not mirror it."""
    ob = lathe("mound", [(0, z1), (.5, z1 - .04), (.85, (z0 + z1) / 2), (1.04, z0)], F.plastic(colour, .9) if colour else F.liner_steel())
    ob.visible_glossy = False
    return ob
