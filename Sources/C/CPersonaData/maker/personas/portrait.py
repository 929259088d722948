"""A drawn portrait for each persona: not a real face, made of ellipses and polygons.

Needs Debian's python3-pil, whose Pillow writes JPEG 2000 with OpenJPEG. The same Pillow draws the same picture.
"""

import io

from PIL import Image, ImageChops, ImageDraw, ImageFilter

WIDTH, HEIGHT = 300, 400
# Drawn four times as large and shrunk, which smooths every edge.
SCALE = 4

# The features of each face; colours are those of Pillow.
FACES = {
    "gemalto": dict(
        background="#c9dbe8", skin="#eac2a2", hair="#5a3420", eyes="#5b7f4a", clothes="#8c2f45",
        style="long", lips="#b9505a"),
    "gemalto2": dict(
        background="#dfe3d2", skin="#dba983", hair="#2a2322", eyes="#4b3220", clothes="#2f4c6e",
        style="short", lips="#a8635a", beard=True),
    "nxp": dict(
        background="#d7d3df", skin="#f0cdb4", hair="#b9b4ad", eyes="#5d7f9c", clothes="#4d5a50",
        style="bald", lips="#b87068", glasses=True),
    "st": dict(
        background="#e6ddc8", skin="#f2d0b2", hair="#c9963f", eyes="#3f78a3", clothes="#2c6a67",
        style="bun", lips="#c25763", earrings=True),
    "itj4": dict(
        background="#cfe0d8", skin="#8f5d3f", hair="#1b1716", eyes="#33211a", clothes="#d08b2c",
        style="curly", lips="#7d4038"),
    "unknown": dict(
        background="#dcdcdc", skin="#e7b892", hair="#a4491f", eyes="#55733c", clothes="#3c3c48",
        style="side", lips="#b3625a", glasses=True, freckles=True),
    "senior": dict(
        background="#e3d8d0", skin="#eccbb3", hair="#d9d6d2", eyes="#6a7f8c", clothes="#5b4a6e",
        style="bun", lips="#b06a68", glasses=True),
    "early": dict(
        background="#dcd6c6", skin="#e3b795", hair="#6b4a2c", eyes="#47623d", clothes="#7a3f3a",
        style="long", lips="#b45f62"),
    "recalled": dict(
        background="#d2dbe0", skin="#dfb08c", hair="#4a3a30", eyes="#4f3a28", clothes="#3f5c46",
        style="short", lips="#a5605a"),
}


class Sketch:
    """A canvas whose coordinates are those of the finished portrait."""

    def __init__(self, background):
        size = (WIDTH * SCALE, HEIGHT * SCALE)
        self.image = Image.new("RGB", size, background)
        glow = Image.radial_gradient("L").resize(size, Image.BICUBIC).point(lambda v: v // 5)
        self.image.paste("#5f6b78", mask=glow)

    def mask(self, shape, box, **options):
        mask = Image.new("L", self.image.size)
        getattr(ImageDraw.Draw(mask), shape)([SCALE * v for v in box], fill=255, **options)
        return mask

    def fill(
            self, colour, shape, *box, soft=0, within=None, without=None, strength=1.0, **options):
        mask = self.mask(shape, box, **options)
        if soft:
            mask = mask.filter(ImageFilter.GaussianBlur(soft * SCALE))
        if within:
            mask = ImageChops.multiply(mask, within)
        if without:
            mask = ImageChops.subtract(mask, without)
        if strength < 1:
            mask = mask.point(lambda v: int(v * strength))
        self.image.paste(colour, mask=mask)

    def stroke(self, colour, shape, *box, width=2, **options):
        draw = ImageDraw.Draw(self.image)
        getattr(draw, shape)(
            [SCALE * v for v in box],
            **{"arc": {"fill": colour}, "line": {"fill": colour, "joint": "curve"}}.get(
                shape, {"outline": colour}), width=int(width * SCALE), **options)


def darker(colour, factor):
    return "#" + "".join(f"{int(int(colour[i:i + 2], 16) * factor):02x}" for i in (1, 3, 5))


def hair_behind(sketch, face):
    hair = face["hair"]
    if face["style"] == "long":
        sketch.fill(hair, "rounded_rectangle", 72, 70, 228, 318, radius=78 * SCALE)
        sketch.fill(darker(hair, 0.8), "rounded_rectangle", 96, 150, 204, 322, radius=40 * SCALE)
    elif face["style"] == "bun":
        sketch.fill(hair, "ellipse", 112, 28, 188, 98)
        sketch.stroke(darker(hair, 0.8), "arc", 122, 36, 178, 88, start=200, end=330, width=2)
        sketch.fill(hair, "ellipse", 80, 72, 220, 226)
    elif face["style"] == "curly":
        for x, y in ((92, 150), (84, 122), (94, 96), (116, 76), (144, 66), (172, 72), (196, 90),
                     (210, 114), (212, 142), (206, 160)):
            sketch.fill(hair, "ellipse", x - 26, y - 26, x + 26, y + 26)


def hair_in_front(sketch, face, head):
    hair, style = face["hair"], face["style"]
    if style == "long":
        sketch.fill(hair, "rounded_rectangle", 72, 70, 228, 330, radius=78 * SCALE,
                    without=ImageChops.lighter(sketch.mask("ellipse", (92, 122, 232, 300)),
                                               sketch.mask("rectangle", (72, 214, 228, 330))))
    elif style == "short":
        sketch.fill(hair, "chord", 84, 74, 216, 222, start=196, end=344)
        sketch.fill(hair, "polygon", 88, 128, 100, 122, 99, 168, 90, 164)
        sketch.fill(hair, "polygon", 212, 128, 200, 122, 201, 168, 210, 164)
    elif style == "bald":
        for left, right in ((82, 100), (200, 218)):
            sketch.fill(hair, "ellipse", left, 138, right, 190)
    elif style == "bun":
        sketch.fill(hair, "chord", 84, 74, 216, 240, start=185, end=355,
                    without=sketch.mask("ellipse", (96, 112, 204, 260)))
    elif style == "curly":
        for x, y in ((104, 116), (120, 104), (146, 100), (172, 104), (194, 116)):
            sketch.fill(hair, "ellipse", x - 20, y - 20, x + 20, y + 20)
        sketch.fill(hair, "ellipse", 100, 64, 196, 116)
    else:
        sketch.fill(hair, "polygon", 88, 150, 90, 104, 120, 72, 176, 68, 210, 98, 213, 150, 203, 146,
                    196, 118, 150, 122, 118, 108, 100, 124, 97, 146)
        sketch.fill(hair, "ellipse", 100, 62, 200, 118)


def eyes(sketch, face):
    for x in (124, 176):
        sketch.fill("#fbf8f3", "ellipse", x - 14, 167, x + 14, 184)
        sketch.fill(face["eyes"], "ellipse", x - 8, 167, x + 8, 184)
        sketch.fill("#16110f", "ellipse", x - 4, 171, x + 4, 180)
        sketch.fill("#ffffff", "ellipse", x + 1, 170, x + 4, 173)
        sketch.stroke(darker(face["skin"], 0.45), "arc", x - 15, 165, x + 15, 190, start=195, end=345)
        brow = darker(face["hair"], 0.75 if face["style"] != "bald" else 0.6)
        sketch.stroke(brow, "arc", x - 18, 150, x + 18, 180, start=210, end=330, width=4)


def extras(sketch, face):
    if face.get("freckles"):
        for x, y in ((112, 204), (120, 209), (127, 203), (173, 203), (181, 209), (188, 204)):
            sketch.fill(darker(face["skin"], 0.78), "ellipse", x - 1.5, y - 1.5, x + 1.5, y + 1.5)
    if face.get("glasses"):
        for x in (124, 176):
            sketch.stroke("#33363d", "rounded_rectangle", x - 22, 160, x + 22, 192, width=2.5,
                          radius=12 * SCALE)
        sketch.stroke("#33363d", "arc", 144, 166, 156, 180, start=190, end=350, width=2.5)
        sketch.stroke("#33363d", "line", 102, 172, 88, 168, width=2.5)
        sketch.stroke("#33363d", "line", 198, 172, 212, 168, width=2.5)
    if face.get("earrings"):
        for x in (84, 216):
            sketch.fill("#d9b64a", "ellipse", x - 4, 202, x + 4, 210)


def draw(title):
    face = FACES[title]
    skin = face["skin"]
    shade = darker(skin, 0.8)
    sketch = Sketch(face["background"])
    hair_behind(sketch, face)
    # Shoulders, collar and neck.
    sketch.fill(face["clothes"], "rounded_rectangle", 34, 300, 266, 470, radius=70 * SCALE)
    sketch.fill(darker(face["clothes"], 0.75), "polygon", 108, 300, 150, 352, 192, 300)
    sketch.fill(skin, "polygon", 124, 240, 176, 240, 178, 304, 150, 334, 122, 304)
    sketch.fill(shade, "ellipse", 116, 236, 184, 290, soft=5, strength=0.8,
                within=sketch.mask("polygon", (124, 240, 176, 240, 178, 304, 150, 334, 122, 304)))
    for x in (86, 214):
        sketch.fill(skin, "ellipse", x - 11, 160, x + 11, 200)
        sketch.fill(shade, "ellipse", x - 5, 168, x + 5, 192, soft=2)
    head = ImageChops.lighter(
        sketch.mask("ellipse", (86, 76, 214, 240)),
        sketch.mask("ellipse", (96, 130, 204, 264)))
    sketch.image.paste(skin, mask=head)
    # Light from the upper left.
    sketch.fill(shade, "ellipse", 176, 90, 250, 290, soft=16, within=head, strength=0.7)
    sketch.fill("#fff4e6", "ellipse", 104, 104, 160, 160, soft=18, within=head, strength=0.35)
    for x in (112, 188):
        sketch.fill(face["lips"], "ellipse", x - 15, 198, x + 15, 222, soft=7, within=head,
                    strength=0.4)
    if face.get("beard"):
        sketch.fill(face["hair"], "pieslice", 86, 150, 214, 270, start=0, end=180, soft=1, within=head,
                    without=sketch.mask("ellipse", (98, 130, 202, 218)))
        sketch.fill(face["hair"], "chord", 128, 212, 172, 238, start=180, end=360, soft=1)
    hair_in_front(sketch, face, head)
    eyes(sketch, face)
    sketch.stroke(darker(skin, 0.68), "arc", 138, 188, 162, 212, start=20, end=160, width=2.5)
    sketch.stroke(shade, "arc", 140, 168, 160, 212, start=110, end=190, width=2)
    sketch.fill(face["lips"], "chord", 128, 212, 172, 242, start=15, end=165)
    sketch.stroke(darker(face["lips"], 0.7), "arc", 126, 206, 174, 238, start=25, end=155)
    extras(sketch, face)
    return sketch.image.resize((WIDTH, HEIGHT), Image.LANCZOS)


def jpeg2000(image, size):
    """A JP2 file just below that many bytes: one quality layer, irreversible wavelet."""
    ratio = 3 * WIDTH * HEIGHT / size
    while True:
        file = io.BytesIO()
        image.save(file, "JPEG2000", irreversible=True, quality_mode="rates", quality_layers=[ratio])
        if len(file.getvalue()) <= size:
            return file.getvalue()
        ratio *= 1.005


def jpeg(image, size):
    """The best JPEG file of at most that many bytes."""
    for quality in range(95, 20, -1):
        file = io.BytesIO()
        image.save(file, "JPEG", quality=quality, optimize=True)
        if len(file.getvalue()) <= size:
            return file.getvalue()
    raise SystemExit(f"no JPEG of {size} bytes")
