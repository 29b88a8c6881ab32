/** Units by line, as a form names them: a field `units` for each line, "LINE:UNITS". */

/** Null where every line is whole, or none is named. Lines that the order does not have are passed over. */
export function unitsIn(
  form: URLSearchParams,
  lines: { id: string; unitsLeft: number }[],
): Record<string, number> | null {
  const named = Object.fromEntries(
    form.getAll("units").flatMap((text) => {
      const [id = "", units = ""] = text.split(":");
      return lines.some((line) => line.id === id) && /^\d{1,4}$/.test(units) ? [[id, Number(units)] as const] : [];
    }),
  );
  const isWhole = lines.every(({ id, unitsLeft }) => named[id] === undefined || named[id] === unitsLeft);
  return isWhole ? null : named;
}
