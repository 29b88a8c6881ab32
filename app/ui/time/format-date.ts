/** Made once each: making one takes longer than rendering a row that uses it. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** A date in American English. Browsers may put a narrow space before AM and PM, which would break hydration. */
export function formatDate(date: Date, options: Intl.DateTimeFormatOptions): string {
  const name = JSON.stringify(options);
  const format = formats.get(name) ?? new Intl.DateTimeFormat("en-US", options);
  formats.set(name, format);
  return format.format(date).replaceAll("\u202f", " ");
}
