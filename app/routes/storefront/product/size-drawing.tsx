import type { ProductSections } from "#shop/catalog/product-sections.ts";

type SizeProps = { size: NonNullable<ProductSections["size"]>; colorHex: string | null };

/** Units of the drawing for an inch. */
const INCH = 20;
const [LEFT, TOP, GAP, BELOW] = [84, 10, 34, 48];

/** The closed bowl beside a mug, both to scale. */
export function SizeDrawing({ size: { widthIn, heightIn, mug }, colorHex }: SizeProps) {
  const [width, height] = [widthIn * INCH, heightIn * INCH];
  const [mugWidth, mugHeight] = [mug.widthIn * INCH, mug.heightIn * INCH];
  const counter = TOP + height;
  const mugLeft = LEFT + width + GAP;
  const end = mugLeft + mugWidth + 74;
  return (
    <svg
      role="img"
      aria-label={`The bowl is ${widthIn} inches wide and ${heightIn} inches tall, the mug next to it ${mug.heightIn} inches tall.`}
      viewBox={`0 0 ${end} ${counter + BELOW}`}
      className="w-full rounded-card bg-card p-4 text-[19px] sm:p-10 sm:text-[13px]"
    >
      <g transform={`translate(${LEFT} ${TOP})`}>
        <Bowl width={width} height={height} fill={colorHex ?? undefined} />
      </g>
      <g
        transform={`translate(${mugLeft} ${counter - mugHeight})`}
        fill="none"
        className="stroke-ink-soft"
        strokeWidth="2"
      >
        <path
          d={`M1 0H${mugWidth - 1}V${mugHeight - 10}Q${mugWidth - 1} ${mugHeight - 1} ${mugWidth - 10} ${mugHeight - 1}H10Q1 ${mugHeight - 1} 1 ${mugHeight - 10}Z`}
          className="fill-paper"
        />
        <path d={`M${mugWidth - 1} ${mugHeight * 0.2}h8q16 0 16 20t-16 20h-8`} />
      </g>
      <path d={`M0 ${counter}H${end}`} className="stroke-ink/40" />
      <g className="stroke-ink" strokeWidth="1" fill="none">
        <path
          d={`M${LEFT} ${counter + 12}v8M${LEFT + width} ${counter + 12}v8M${LEFT} ${counter + 16}H${LEFT + width}`}
        />
        <path d={`M${LEFT - 18} ${TOP}h8M${LEFT - 18} ${counter}h8M${LEFT - 14} ${TOP}V${counter}`} />
      </g>
      <g className="fill-ink font-medium tabular-nums">
        <text x={LEFT + width / 2} y={counter + 36} textAnchor="middle">
          {`${widthIn} in`}
        </text>
        <text x={LEFT - 22} y={TOP + height / 2} textAnchor="end" dominantBaseline="middle">
          {`${heightIn} in`}
        </text>
        <text x={mugLeft + mugWidth / 2} y={counter + 36} textAnchor="middle">{`Mug, ${mug.heightIn} in`}</text>
      </g>
    </svg>
  );
}

/** The outline of the closed bowl: a flat dome of a lid, a round body, and a foot set back. */
function Bowl({ width: w, height: h, fill }: { width: number; height: number; fill: string | undefined }) {
  const [edge, seam, base] = [h * 0.15, h * 0.22, h * 0.96];
  return (
    <g fill={fill} className="stroke-ink/30" strokeWidth="1">
      <path d={`M${w * 0.26} ${base}H${w * 0.74}L${w * 0.72} ${h}H${w * 0.28}Z`} className="fill-ink/60" />
      <path
        d={`M${w * 0.005} ${seam + 2}C${w * 0.005} ${h * 0.6} ${w * 0.06} ${base} ${w * 0.25} ${base}H${w * 0.75}C${w * 0.94} ${base} ${w * 0.995} ${h * 0.6} ${w * 0.995} ${seam + 2}Z`}
      />
      <path
        d={`M0 ${seam}V${edge + 4}Q0 ${edge} ${w * 0.03} ${edge - 3}C${w * 0.16} ${h * 0.04} ${w * 0.3} 0 ${w * 0.5} 0S${w * 0.84} ${h * 0.04} ${w * 0.97} ${edge - 3}Q${w} ${edge} ${w} ${edge + 4}V${seam}Z`}
      />
    </g>
  );
}
