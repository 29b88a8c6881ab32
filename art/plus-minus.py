"""The typeface with a plus-minus sign, which it lacks: its own plus over its own minus, in every weight.

Without one the browser asks the system for a typeface that has it, while the page waits for its layout.
python3 art/plus-minus.py WHOLE.woff2 OUT.ttf
"""

import sys

from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables._g_l_y_f import USE_MY_METRICS

PLUS_UP = 60
ON_THE_BASELINE = -337

font = TTFont(sys.argv[1], recalcTimestamp=False)
assert 0xB1 not in font.getBestCmap(), "the typeface has a plus-minus sign of its own now"

pen = TTGlyphPen(font.getGlyphSet())
pen.addComponent("plus", (1, 0, 0, 1, 0, PLUS_UP))
pen.addComponent("minus", (1, 0, 0, 1, 0, ON_THE_BASELINE))
sign = pen.glyph()
sign.components[0].flags |= USE_MY_METRICS

# Each is read while the typeface still has the glyphs that it was made for.
glyphs, advances, variations = font["glyf"], font["hmtx"], font["gvar"].variations
widths = font["HVAR"].table.AdvWidthMap.mapping
font.setGlyphOrder([*font.getGlyphOrder(), "plusminus"])
glyphs["plusminus"] = sign
advances["plusminus"] = advances["plus"]
variations["plusminus"] = []
widths["plusminus"] = widths["plus"]
for table in font["cmap"].tables:
    table.cmap[0xB1] = "plusminus"
font.save(sys.argv[2])
